#include "site/path/reference.h"

#include <algorithm>

#include "site/path/target_path.h"

namespace weir::site {

Prefix prefix_of(const http::Request& request, std::string_view path) {
    const auto depth = [](std::string_view text) { return std::ranges::count(text, '/'); };
    if (depth(request.path()) == depth(path)) return std::nullopt;
    return decoded_prefix(request);
}

std::string decoded_prefix(const http::Request& request) {
    const std::string_view prefix = request.prefix();
    return prefix.empty() ? std::string{} : decoded_path(prefix).value_or(std::string{});
}

void append_reference(std::string& out, const Prefix& prefix, std::string_view from,
                      std::string_view to) {
    if (prefix) {
        append_encoded(out, *prefix);
        append_encoded(out, to);
        return;
    }
    from = from.substr(0, from.rfind('/') + 1);
    const auto same = std::ranges::mismatch(from, to).in1 - from.begin();
    const std::size_t common = from.rfind('/', static_cast<std::size_t>(same) - 1) + 1;
    const auto up = std::ranges::count(from.substr(common), '/');
    if (up == 0) out += "./";
    for (auto i = up; i > 0; --i) out += "../";
    append_encoded(out, to.substr(common));
}

}  // namespace weir::site
