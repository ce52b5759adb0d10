#include "tls/files/read_whole.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <system_error>

#include "base/last_error.h"
#include "net/system/system_limits.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"

namespace weir::tls {
namespace {

std::unexpected<std::string> cannot_read(const std::string& path) {
    const auto error = last_error();
    return std::unexpected{net::with_limit("cannot read " + path, error) + ": " + error.message()};
}

}  // namespace

std::expected<std::string, std::string> read_whole(const std::string& path, Reading how) {
    const net::UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | how.flags)};
    struct stat status{};
    if (!file || ::fstat(file.get(), &status) != 0) return cannot_read(path);
    if (S_ISDIR(status.st_mode)) return std::unexpected{path + " is a folder"};
    std::string bytes;
    std::array<char, 16384> some;
    while (bytes.size() < how.bytes_max) {
        const auto size =
            net::uninterrupted([&] { return ::read(file.get(), some.data(), some.size()); });
        if (size < 0) return cannot_read(path);
        if (size == 0) break;
        bytes.append(some.data(), static_cast<std::size_t>(size));
    }
    if (bytes.empty()) return std::unexpected{path + " is empty"};
    return bytes;
}

}  // namespace weir::tls
