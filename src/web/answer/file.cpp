#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <utility>

#include "base/file_date.h"
#include "web/answer/open_file.h"
#include "weir/web/response.h"

namespace weir::web {

OpenFile::~OpenFile() { ::close(fd); }

std::shared_ptr<const OpenFile> OpenFile::open(const std::string& path) {
    // O_NONBLOCK: a FIFO must not make the caller wait.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return nullptr;
    struct stat status{};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(fd);
        return nullptr;
    }
    return std::make_shared<const OpenFile>(fd, status);
}

std::optional<std::int64_t> OpenFile::modified() const noexcept {
    const std::int64_t seconds = state.st_mtim.tv_sec;
    return is_date_of_file(seconds) ? std::optional{seconds} : std::nullopt;
}

std::string OpenFile::entity_tag() const {
    const auto& time = modified() ? state.st_mtim : state.st_ctim;
    std::string tag = "\"" + std::to_string(size()) + "-" + std::to_string(time.tv_sec) + "-" +
                      std::to_string(time.tv_nsec);
    if (!modified()) tag += "-" + std::to_string(state.st_ino);
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    if (!has_settled({state.st_ctim.tv_sec, state.st_ctim.tv_nsec}, {now.tv_sec, now.tv_nsec}))
        tag.insert(0, "W/").append("-").append(std::to_string(now.tv_nsec));
    return tag += '"';
}

Response file(const std::string& path, std::string_view media_type) {
    auto opened = OpenFile::open(path);
    if (!opened) return http::error_response(Status::not_found);
    Response response;
    response.add("Content-Type", media_type)
        .content(http::FileRange{.fd = opened->fd, .offset = 0, .size = opened->size()})
        .retain(std::move(opened));
    return response;
}

}  // namespace weir::web
