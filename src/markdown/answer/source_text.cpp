#include "markdown/answer/source_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <variant>

#include "weir/markdown/markdown.h"

namespace weir::markdown {

namespace {

bool is_same(const struct stat& one, const struct stat& other) noexcept {
    return one.st_size == other.st_size && one.st_mtim.tv_sec == other.st_mtim.tv_sec &&
           one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

std::optional<std::string> read(const http::FileRange& file) {
    struct stat before{};
    if (::fstat(file.fd, &before) != 0) return std::nullopt;
    std::string text(file.size, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::pread(file.fd, text.data() + done, text.size() - done,
                                    static_cast<off_t>(file.offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        done += static_cast<std::size_t>(got);
    }
    struct stat after{};
    if (::fstat(file.fd, &after) != 0 || !is_same(before, after)) return std::nullopt;
    return text;
}

}  // namespace

std::optional<std::string> source_text(const http::Response& response) {
    const auto& content = response.content();
    if (const auto* const file = std::get_if<http::FileRange>(&content))
        return file->size <= Renderer::bytes_max ? read(*file) : std::nullopt;
    std::string_view bytes;
    if (const auto* const view = std::get_if<std::string_view>(&content))
        bytes = *view;
    else if (const auto* const own = std::get_if<std::string>(&content))
        bytes = *own;
    else
        return std::nullopt;
    if (bytes.size() > Renderer::bytes_max) return std::nullopt;
    return std::string{bytes};
}

}  // namespace weir::markdown
