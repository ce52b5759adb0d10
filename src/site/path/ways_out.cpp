#include "site/path/ways_out.h"

#include <string>

#include "site/path/reference.h"
#include "site/path/target_path.h"

namespace weir::site {

namespace {

/// "/a/b" and "/a/b/" -> "/a/".
std::string_view folder_above(std::string_view path) noexcept {
    return path.substr(0, path.rfind('/', path.size() - 2) + 1);
}

}  // namespace

std::vector<http::Way> ways_out(const http::Request& request) {
    const std::string_view target = request.path();
    if (!target.starts_with('/')) return {};
    std::string buffer(target.size(), '\0');
    const std::string_view path = target_path(target, buffer).value_or(target);
    if (path == "/") return {};
    std::vector<http::Way> ways;
    const Base base = base_of(request, path);
    const auto add = [&](std::string_view to, std::string_view words) {
        append_reference(ways.emplace_back(std::string{}, words).reference, base, path, to);
    };
    if (const std::string_view up = folder_above(path); up != "/") add(up, "Up");
    add("/", "Home");
    return ways;
}

}  // namespace weir::site
