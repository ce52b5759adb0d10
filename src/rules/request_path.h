#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace weir::rules {

/// The path of a request as a site reads it: decoded once, without dot segments and repeated
/// slashes. Rules that compared the bytes of the target could be passed by an escape or a `//`.
class RequestPath {
   public:
    explicit RequestPath(std::string_view target);
    RequestPath(const RequestPath&) = delete;
    RequestPath& operator=(const RequestPath&) = delete;

    /// Nothing if it is malformed or leads out of the root: a site answers 400 or 404.
    const std::optional<std::string_view>& text() const noexcept { return text_; }

   private:
    std::array<char, 512> buffer_;
    std::string long_buffer_;
    std::optional<std::string_view> text_;
};

/// Which paths a rule is for, as in site::FieldRule: a path from the root with `*` and `**`, or a name
/// in any folder. "/private/**" is for the folder itself, too.
class Paths {
   public:
    Paths() = default;  // all
    explicit Paths(std::string_view pattern) : pattern_{pattern} {}

    /// A path that cannot be read is among all paths, so that no rule is passed by it.
    bool contain(const RequestPath& path) const;
    /// Of two rules for a path, the one with more of these is the more special.
    std::size_t fixed_bytes() const noexcept;
    const std::string& pattern() const noexcept { return pattern_; }

    /// Why the text is no pattern; empty if it is one.
    static std::string refusal(std::string_view pattern);

   private:
    std::string pattern_;
};

/// "/private/**: rest" in its two parts. Without ": ", all is rest, and the first part is empty.
struct PathsAndRest {
    std::string_view paths;
    std::string_view rest;
    static PathsAndRest of(std::string_view text) noexcept;
};

}  // namespace weir::rules
