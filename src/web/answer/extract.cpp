#include "weir/web/extract.h"

#include <algorithm>

namespace weir::web {
namespace {

std::string named(std::string_view part, std::string_view name) {
    return std::string{"The "}.append(part).append("'s ").append(name);
}

/// The text of a library, which may repeat bytes of the peer.
std::string printable(std::string_view text) {
    constexpr std::size_t bytes_max = 200;
    std::string clean{text.substr(0, bytes_max)};
    std::ranges::replace_if(clean, [](char c) { return c < ' ' || c > '~'; }, '?');
    return clean;
}

}  // namespace

void detail::refuse_part(std::string_view part, std::string_view name, std::string_view kind) {
    throw Refusal{Status::bad_request, named(part, name).append(" must be ").append(kind)};
}

void detail::refuse_missing(std::string_view part, std::string_view name) {
    throw Refusal{Status::bad_request, named(part, name).append(" is missing")};
}

void detail::refuse_json(const std::exception& error) {
    throw Refusal{Status::bad_request,
                  "The content is not the JSON that is expected: " + printable(error.what())};
}

void detail::check_json(const Call& call) {
    const std::string type = call.content_type();
    if (type == "application/json" || (type.starts_with("application/") && type.ends_with("+json")))
        return;
    throw Refusal{Status::unsupported_media_type, "The content must be application/json"};
}

void Checks::done() const {
    if (violations_.empty()) return;
    std::string text;
    for (const Violation& one : violations_)
        text.append(text.empty() ? "" : ", and ").append(one.name).append(" ").append(one.message);
    throw Refusal{Status::unprocessable_content, text, violations_};
}

}  // namespace weir::web
