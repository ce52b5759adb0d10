#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/method.h"

namespace weir::web {

/// The pattern of a route, as in Go 1.22: "[METHOD ][HOST]/[PATH]". In the path, `{name}` matches
/// one segment, `{name...}` at the end the rest, a `/` at the end the rest without a name, and
/// `{$}` at the end nothing more.
class Pattern {
   public:
    struct Segment {
        enum class Kind : std::uint8_t {
            literal,  // these bytes, decoded
            one,      // one segment that is not empty
            rest,     // zero or more segments
            end,      // nothing more behind the slash
        };
        Kind kind;
        std::string text;  // of a wildcard: its name, which may be empty

        bool is_end() const noexcept { return kind == Kind::end; }
    };

    /// Throws std::invalid_argument; its text is a sentence about the error.
    static Pattern from(std::string_view text);
    /// Parses a path with which patterns start: no method, no `{$}`, no `{name...}`. A `/` at the
    /// end does not count; empty is allowed.
    static Pattern prefix_from(std::string_view text);

    const std::string& text() const noexcept { return text_; }
    /// Empty: every method.
    const std::string& method() const noexcept { return method_; }
    /// In lower case; empty: every host.
    const std::string& host() const noexcept { return host_; }
    const std::vector<Segment>& segments() const noexcept { return segments_; }
    /// The names of the wildcards, in order.
    const std::vector<std::string>& names() const noexcept { return names_; }

    /// True if some request matches both, and neither pattern is more specific than the other.
    bool conflicts_with(const Pattern& other) const noexcept;
    /// True if every path that `route` matches starts with this prefix.
    bool is_prefix_of(const Pattern& route) const noexcept;
    /// True if the path of a request, not decoded, starts with this prefix.
    bool is_prefix_of(std::string_view path) const;

   private:
    void parse_path(std::string_view path);
    void parse_segment(std::string_view segment, bool is_last);
    void add_wildcard(std::string_view name, Segment::Kind kind);

    std::string text_;
    std::string method_;
    std::string host_;
    std::vector<Segment> segments_;
    std::vector<std::string> names_;
};

/// "%41" becomes "A". False if an escape is malformed.
bool append_decoded(std::string& out, std::string_view text);

}  // namespace weir::web
