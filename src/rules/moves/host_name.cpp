#include "rules/moves/host_name.h"

#include <algorithm>
#include <utility>

namespace weir::rules {
namespace {

std::string_view without_port(std::string_view authority) noexcept {
    if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
    return authority.substr(0, authority.find(':'));
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

HostName::HostName(std::string_view authority) noexcept {
    std::string_view host = without_port(authority);
    if (host.ends_with('.')) host.remove_suffix(1);
    if (host.size() > buffer_.size()) return;
    size_ = host.size();
    std::ranges::transform(host, buffer_.begin(), lower);
}

std::string normal_origin(std::string_view text) {
    std::string origin{text};
    std::ranges::transform(origin, origin.begin(), lower);
    for (const auto& [scheme, port] : {std::pair{"http://", ":80"}, std::pair{"https://", ":443"}})
        if (origin.starts_with(scheme) && origin.ends_with(port))
            origin.resize(origin.size() - std::string_view{port}.size());
    return origin;
}

}  // namespace weir::rules
