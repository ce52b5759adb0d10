#include "site/files/read_file.h"

#include <unistd.h>

#include <cerrno>

#include "net/uninterrupted.h"

namespace weir::site {

std::expected<std::string, std::error_code> read_from_start(int fd, std::uint64_t size) {
    std::string body(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = net::uninterrupted(
            [&] { return ::pread(fd, body.data() + done, size - done, static_cast<off_t>(done)); });
        if (got < 0) return std::unexpected{std::error_code{errno, std::system_category()}};
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    body.resize(done);
    return body;
}

}  // namespace weir::site
