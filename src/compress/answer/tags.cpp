#include "compress/answer/tags.h"

#include <cstddef>

#include "http/answer/content_coding.h"
#include "http/answer/entity_tags.h"

namespace weir::compress {

namespace {

/// Returns the length of the coding's name at the end of `opaque` (a tag without its quotes), with
/// its hyphen; 0 if there is none.
std::size_t coding_bytes(std::string_view opaque) noexcept {
    for (const auto& names : http::content_codings) {
        const std::size_t bytes = names.token.size() + 1;
        if (opaque.size() >= bytes && opaque.ends_with(names.token) &&
            opaque[opaque.size() - bytes] == '-')
            return bytes;
    }
    return 0;
}

}  // namespace

std::string coded_tag(std::string_view tag, std::string_view token) {
    if (tag.ends_with('"')) tag.remove_suffix(1);
    return std::string{tag}.append("-").append(token).append("\"");
}

std::string with_plain_tags(std::string_view line) {
    std::string all;
    http::any_tag(line, [&](std::string_view tag) {
        const bool is_strong = tag.size() >= 2 && tag.starts_with('"') && tag.ends_with('"');
        const std::string_view opaque = is_strong ? tag.substr(1, tag.size() - 2) : "";
        if (const std::size_t bytes = coding_bytes(opaque); bytes != 0)
            all.append("\"").append(opaque.substr(0, opaque.size() - bytes)).append("\", ");
        return false;
    });
    return all.empty() ? all : all.append(line);
}

}  // namespace weir::compress
