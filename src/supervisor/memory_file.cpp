#include "supervisor/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "net/uninterrupted.h"
#include "net/write_all.h"

namespace weir::supervisor {

net::UniqueFd make_memory_file(const char* name, std::string_view text) {
    net::UniqueFd file{::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (!file || !net::write_all(file.get(), text)) return {};
    constexpr int all = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    if (::fcntl(file.get(), F_ADD_SEALS, all) != 0) return {};
    return file;
}

std::string read_memory_file(int fd) {
    std::string text;
    std::array<char, 4'096> bytes;
    for (;;) {
        const auto size = net::uninterrupted([&] {
            return ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(text.size()));
        });
        if (size <= 0) return text;
        text.append(bytes.data(), static_cast<std::size_t>(size));
    }
}

}  // namespace weir::supervisor
