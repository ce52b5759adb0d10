#include "cli/config/document.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "access/password/small_file.h"

namespace weir::cli::config {
namespace {

/// Returns the reason why a file can't be read, in words.
std::string failure(std::error_code error) {
    if (error == std::errc::invalid_argument) return "it is not a regular file";
    if (error == std::errc::file_too_large) return "it is larger than 1M";
    return error.message();
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
    const auto content = access::read_small_file(path, bytes_max);
    if (content) return parse(*content, path);
    return {
        .file = path,
        .entries = {},
        .sites = {},
        .problems = {{.place = {}, .text = "the file can't be read: " + failure(content.error())}},
        .could_not_be_read = access::is_passing(content.error())};
}

}  // namespace weir::cli::config
