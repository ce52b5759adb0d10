#include "site/files/shared_file_system.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace weir::site {

bool is_shared_with_other_machines(int fd) noexcept {
    constexpr std::array<std::uint32_t, 16> kinds = {
        NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC, FUSE_SUPER_MAGIC,
        V9FS_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, AFS_FS_MAGIC, OCFS2_SUPER_MAGIC,
        // Not in the kernel's headers; coreutils' stat(1) knows them.
        0x0bd00bd0,  // Lustre
        0x47504653,  // GPFS
        0x01161970,  // GFS and GFS2
        0x19830326,  // BeeGFS (FhGFS)
        0x786f4256,  // vboxsf
        0xbacbacbc,  // vmhgfs
    };
    struct statfs status;
    if (::fstatfs(fd, &status) != 0) return true;
    return std::ranges::find(kinds, static_cast<std::uint32_t>(status.f_type)) != kinds.end();
}

}  // namespace weir::site
