#pragma once

#include <string>
#include <string_view>

namespace weir::proxy {

/// The path of a request as routes compare it: as a site and rules of access read it, so that no
/// other spelling ("//api", "/%61pi") evades a route. An encoded slash stays encoded.
class RoutePath {
   public:
    /// Borrows `path`, which is not decoded.
    explicit RoutePath(std::string_view path);

    /// "/api" has /api and /api/users, but not /apis. `route` is decoded.
    bool is_below(std::string_view route) const noexcept;
    /// True if a server could read the path in another way than weir: it has dot segments or a
    /// backslash, or can't be decoded.
    bool is_ambiguous() const noexcept { return is_ambiguous_; }

   private:
    std::string decoded_;  // empty: the path is the same
    std::string_view path_;
    bool is_ambiguous_ = false;
};

/// True if a server could take the path for one outside of its folder: it has a segment "." or
/// "..", maybe encoded, or with a parameter ("..;a").
bool has_dot_segments(std::string_view path) noexcept;

/// The number of segments of a route's path; "/" has none.
std::size_t segments_of(std::string_view route) noexcept;

/// Takes that many segments off the front of a path that is not decoded. Appends them to `taken`,
/// without the empty ones. Of several slashes that follow, one is left: a path that begins with two
/// could pass for a host.
void take_segments(std::string_view& path, std::size_t count, std::string& taken);

}  // namespace weir::proxy
