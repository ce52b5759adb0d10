#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "web/routing/pattern.h"
#include "weir/web/call.h"

namespace weir::rules {

/// The parts of a request that a redirect or a rewrite depends on. All views are borrowed.
struct Asked {
    std::string_view method;
    std::string_view host;   // as HostName gives it
    std::string_view path;   // as site::decoded_path() gives it
    std::string_view query;  // not decoded
    /// The path is below this one, as site::decoded_path() gives it.
    std::string_view prefix{};
};

/// The texts that the wildcards of a pattern matched, in order; decoded, and borrowed from the
/// path.
using Captures = std::array<std::string_view, web::detail::CallState::parameters_max>;

/// "[METHOD ][HOST]/[PATH]", as the patterns of web::Router: `{name}` is one segment, `{name...}`
/// at the end the rest of the path, which may be empty. Other than there, a slash at the end is
/// just a slash.
class PathPattern {
   public:
    /// The error is a sentence without its full stop.
    static std::expected<PathPattern, std::string> parse(std::string_view text);

    bool matches(const Asked& asked, Captures& captures) const;
    const web::Pattern& pattern() const noexcept { return pattern_; }

   private:
    explicit PathPattern(web::Pattern pattern) : pattern_{std::move(pattern)} {}
    bool matches_path(std::string_view path, Captures& captures) const;

    web::Pattern pattern_;
};

}  // namespace weir::rules
