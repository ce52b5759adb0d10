#include "cli/config/document.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <expected>
#include <system_error>
#include <utility>

#include "net/unique_fd.h"

namespace weir::cli::config {
namespace {

/// Why a file can't be read, in words.
std::string failure() { return std::generic_category().message(errno); }

std::expected<std::string, std::string> content_of(const std::string& path) {
    const net::UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) return std::unexpected{failure()};
    std::string content;
    std::array<char, 16'384> piece{};
    while (content.size() <= bytes_max) {
        const auto size = ::read(file.get(), piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return std::unexpected{failure()};
        if (size == 0) return content;
        content.append(piece.data(), static_cast<std::size_t>(size));
    }
    return std::unexpected{"larger than 1M"};
}

}  // namespace

Problem Document::problem_from(std::string_view text) const {
    if (!text.starts_with(file + ':')) return {.place = {}, .text = std::string{text}};
    const char* const begin = text.data() + file.size() + 1;
    const char* const end = text.data() + text.size();
    Place place;
    const auto line = std::from_chars(begin, end, place.line);
    const auto column = std::from_chars(std::min(line.ptr + 1, end), end, place.column);
    return {place, std::string{std::min(column.ptr + 2, end), end}};
}

Document read(const std::string& path) {
    auto content = content_of(path);
    if (content) return parse(*content, path);
    return {.file = path,
            .entries = {},
            .sites = {},
            .problems = {{.place = {}, .text = "the file can't be read: " + content.error()}}};
}

}  // namespace weir::cli::config
