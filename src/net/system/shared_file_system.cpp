#include "net/system/shared_file_system.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "net/unique_fd.h"

namespace weir::net {

bool is_shared_with_other_machines(int fd) noexcept {
    constexpr std::array<std::uint32_t, 26> kinds = {
        NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC, FUSE_SUPER_MAGIC,
        V9FS_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, AFS_FS_MAGIC, OCFS2_SUPER_MAGIC,
        CODA_SUPER_MAGIC, NCP_SUPER_MAGIC,
        // The kernel's headers lack the following; coreutils' stat(1) knows all but the last.
        0x0bd00bd0,  // Lustre
        0x47504653,  // GPFS
        0x01161970,  // GFS and GFS2
        0x19830326,  // BeeGFS (FhGFS)
        0xaad7aaea,  // Panasas
        0x013111a8,  // Ibrix
        0xbeefdead,  // StorNext
        0x61636673,  // ACFS
        0xa501fcf5,  // VxFS
        0x20030528,  // OrangeFS (PVFS2)
        0x786f4256,  // vboxsf
        0xbacbacbc,  // vmhgfs
        0x7c7c6673,  // of Parallels
        0x18031977,  // WekaFS
    };
    struct statfs status;
    if (::fstatfs(fd, &status) != 0) return true;
    return std::ranges::find(kinds, static_cast<std::uint32_t>(status.f_type)) != kinds.end();
}

/// Opens the path for fstatfs(2), because the sandbox forbids statfs(2).
bool is_shared_with_other_machines(const std::string& path) noexcept {
    const UniqueFd fd{::open(path.c_str(), O_PATH | O_CLOEXEC)};
    return !fd || is_shared_with_other_machines(fd.get());
}

}  // namespace weir::net
