#include "site/files/read_file.h"

#include <unistd.h>

#include <cerrno>

namespace weir::site {

std::expected<std::size_t, std::error_code> read_at(int fd, std::uint64_t offset, char* into,
                                                    std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got =
            ::pread(fd, into + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::unexpected{std::error_code{errno, std::system_category()}};
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::expected<std::string, std::error_code> read_from_start(int fd, std::uint64_t size) {
    std::string body(size, '\0');
    const auto done = read_at(fd, 0, body.data(), body.size());
    if (!done) return std::unexpected{done.error()};
    body.resize(*done);
    return body;
}

}  // namespace weir::site
