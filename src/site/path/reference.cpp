#include "site/path/reference.h"

#include <algorithm>
#include <utility>

#include "site/path/target_path.h"

namespace weir::site {

namespace {

auto depth(std::string_view path) noexcept { return std::ranges::count(path, '/'); }

/// "http://host/a/b?c" -> "/a/b"; "/a/b?c" as well.
std::string_view path_of_target(const http::Request& request) noexcept {
    std::string_view target = request.target();
    target = target.substr(0, target.find('?'));
    if (request.form() != http::TargetForm::absolute) return target;
    target.remove_prefix(target.find("://") + 3);
    return target.contains('/') ? target.substr(target.find('/')) : "/";
}

bool is_rewritten(const http::Request& request) noexcept {
    const std::string_view whole = path_of_target(request);
    const std::string_view prefix = request.prefix(), path = request.path();
    return whole.size() != prefix.size() + path.size() || !whole.starts_with(prefix) ||
           !whole.ends_with(path);
}

/// The path of the address that the client asked for; empty if the client counts its segments
/// otherwise.
std::string path_of_client(const http::Request& request) {
    const std::string_view whole = path_of_target(request);
    auto path = decoded_path(whole);
    return path && depth(*path) == depth(whole) ? std::move(*path) : std::string{};
}

void append_relative(std::string& out, std::string_view from, std::string_view to) {
    from = from.substr(0, from.rfind('/') + 1);
    const auto same = std::ranges::mismatch(from, to).in1 - from.begin();
    const std::size_t common = from.rfind('/', static_cast<std::size_t>(same) - 1) + 1;
    const auto up = std::ranges::count(from.substr(common), '/');
    if (up == 0) out += "./";
    for (auto i = up; i > 0; --i) out += "../";
    append_encoded(out, to.substr(common));
}

}  // namespace

Base base_of(const http::Request& request, std::string_view path) {
    if (is_rewritten(request))
        return BasePath{.from = path_of_client(request), .prefix = decoded_prefix(request)};
    if (depth(request.path()) == depth(path)) return std::nullopt;
    return BasePath{.prefix = decoded_prefix(request)};
}

std::string decoded_prefix(const http::Request& request) {
    const std::string_view prefix = request.prefix();
    return prefix.empty() ? std::string{} : decoded_path(prefix).value_or(std::string{});
}

void append_reference(std::string& out, const Base& base, std::string_view from,
                      std::string_view to) {
    if (!base) return append_relative(out, from, to);
    const std::string whole = base->prefix + std::string{to};
    if (base->from.empty()) return append_encoded(out, whole);
    append_relative(out, base->from, whole);
}

}  // namespace weir::site
