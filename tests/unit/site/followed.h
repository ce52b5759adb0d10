#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// Where a client at the path `from` is led by a reference (RFC 3986 5.2) that is a path or starts
/// with "./" and "../".
inline std::string followed(std::string_view from, std::string_view reference) {
    if (reference.starts_with('/')) return std::string{reference};
    from = from.substr(0, from.find('?'));
    from = from.substr(0, from.rfind('/') + 1);
    if (reference.starts_with("./")) reference.remove_prefix(2);
    for (; reference.starts_with("../"); reference.remove_prefix(3))
        from = from.substr(0, from.substr(0, from.size() - 1).rfind('/') + 1);
    return std::string{from}.append(reference);
}

}  // namespace weir::site
