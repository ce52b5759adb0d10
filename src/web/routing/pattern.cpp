#include "web/routing/pattern.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/hexadecimal.h"
#include "http/syntax/token.h"
#include "weir/web/call.h"

namespace weir::web {
namespace {

using Segment = Pattern::Segment;
using Kind = Segment::Kind;

[[noreturn]] void refuse(std::string_view pattern, std::string_view why) {
    std::string message{"the pattern \""};
    message.append(pattern).append("\" ").append(why);
    throw std::invalid_argument{message};
}

bool is_name(std::string_view text) noexcept {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9');
    });
}

/// The relation between the sets of requests that two patterns match.
enum class Relation : std::uint8_t { equal, more_general, more_specific, overlapping, disjoint };

/// The relation of patterns with two parts, from those of the parts.
Relation combined(Relation first, Relation second) noexcept {
    using enum Relation;
    if (first == disjoint || second == disjoint) return disjoint;
    if (first == equal) return second;
    if (second == equal || first == second) return first;
    return overlapping;
}

Relation compare(const Segment& a, const Segment& b) noexcept {
    using enum Relation;
    if (a.kind == Kind::rest || b.kind == Kind::rest) {
        if (a.kind == b.kind) return equal;
        return a.kind == Kind::rest ? more_general : more_specific;
    }
    if (a.kind == Kind::one && b.kind == Kind::one) return equal;
    if (a.kind == Kind::one) return b.is_end() ? disjoint : more_general;
    if (b.kind == Kind::one) return a.is_end() ? disjoint : more_specific;
    return a.kind == b.kind && a.text == b.text ? equal : disjoint;
}

bool ends_in_rest(const std::vector<Segment>& segments) noexcept {
    return !segments.empty() && segments.back().kind == Kind::rest;
}

Relation compare(const std::vector<Segment>& a, const std::vector<Segment>& b) noexcept {
    using enum Relation;
    Relation relation = equal;
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) relation = combined(relation, compare(a[i], b[i]));
    if (a.size() == b.size() || relation == disjoint) return relation;
    // The longer pattern can only match requests that the rest of the shorter one matches, too.
    if (a.size() < b.size()) return ends_in_rest(a) ? combined(relation, more_general) : disjoint;
    return ends_in_rest(b) ? combined(relation, more_specific) : disjoint;
}

Relation compare_methods(std::string_view a, std::string_view b) noexcept {
    using enum Relation;
    if (a == b) return equal;
    if (a.empty()) return more_general;
    if (b.empty()) return more_specific;
    if (a == "GET" && b == "HEAD") return more_general;  // GET matches HEAD, too
    if (b == "GET" && a == "HEAD") return more_specific;
    return disjoint;
}

/// Methods are case-sensitive (RFC 9110 9.1): no client sends "get".
void check_method(const Pattern& pattern) {
    const std::string& method = pattern.method();
    if (!http::is_token(method)) refuse(pattern.text(), "has no valid method");
    std::string upper = method;
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (upper != method && http::method_from(upper) != http::Method::unknown)
        refuse(pattern.text(), "has a method in lower case: write " + upper);
}

std::string decoded_segment(std::string_view segment, std::string_view pattern) {
    std::string decoded;
    if (!append_decoded(decoded, segment)) refuse(pattern, "has a malformed escape");
    return decoded;
}

}  // namespace

bool append_decoded(std::string& out, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (text.size() - i < 3) return false;
        const int high = hex_value(text[i + 1]);
        const int low = hex_value(text[i + 2]);
        if (high < 0 || low < 0) return false;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return true;
}

Pattern Pattern::from(std::string_view text) {
    Pattern pattern;
    pattern.text_ = text;
    const std::string_view head = text.substr(0, text.find('/'));
    if (const auto space = head.find_first_of(" \t"); space != head.npos) {
        pattern.method_ = head.substr(0, space);
        check_method(pattern);
        text.remove_prefix(std::min(text.find_first_not_of(" \t", space), text.size()));
    }
    const std::size_t slash = text.find('/');
    if (slash == text.npos) refuse(pattern.text_, "has no path: it must have a slash");
    for (const char c : text.substr(0, slash))
        pattern.host_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (pattern.host_.find_first_of("{}:*") != text.npos)
        refuse(pattern.text_, "must have a host without wildcards and without a port");
    pattern.parse_path(text.substr(slash + 1));
    return pattern;
}

Pattern Pattern::prefix_from(std::string_view text) {
    Pattern pattern;
    pattern.text_ = text;
    if (text.ends_with('/')) text.remove_suffix(1);
    if (text.empty()) return pattern;
    if (!text.starts_with('/')) refuse(pattern.text_, "is no prefix: it must start with a slash");
    pattern.parse_path(text.substr(1));
    if (ends_in_rest(pattern.segments_) || pattern.segments_.back().is_end())
        refuse(pattern.text_, "is no prefix: only its routes may end like that");
    return pattern;
}

/// `path` follows the first slash.
void Pattern::parse_path(std::string_view path) {
    for (;;) {
        const std::size_t slash = path.find('/');
        parse_segment(path.substr(0, slash), slash == path.npos);
        if (slash == path.npos) return;
        path.remove_prefix(slash + 1);
    }
}

void Pattern::parse_segment(std::string_view segment, bool is_last) {
    if (segment.empty()) {
        if (!is_last) refuse(text_, "has an empty segment");
        return add_wildcard({}, Segment::Kind::rest);
    }
    if (segment == "{$}") {
        if (!is_last) refuse(text_, "may have {$} only at its end");
        segments_.push_back({Segment::Kind::end, {}});
        return;
    }
    if (segment.find_first_of("{}") == segment.npos) {
        std::string decoded = decoded_segment(segment, text_);
        if (decoded == "." || decoded == "..") refuse(text_, "has a dot segment");
        segments_.push_back({Segment::Kind::literal, std::move(decoded)});
        return;
    }
    if (!segment.starts_with('{') || !segment.ends_with('}'))
        refuse(text_, "has a wildcard that is not a whole segment");
    std::string_view name = segment.substr(1, segment.size() - 2);
    const bool takes_rest = name.ends_with("...");
    if (takes_rest) name.remove_suffix(3);
    if (takes_rest && !is_last) refuse(text_, "may have {...} only at its end");
    if (!is_name(name)) refuse(text_, "has a wildcard without a valid name");
    if (std::ranges::find(names_, name) != names_.end()) refuse(text_, "uses a name twice");
    add_wildcard(name, takes_rest ? Segment::Kind::rest : Segment::Kind::one);
}

void Pattern::add_wildcard(std::string_view name, Segment::Kind kind) {
    segments_.push_back({kind, std::string{name}});
    names_.emplace_back(name);
    if (names_.size() > detail::CallState::parameters_max) refuse(text_, "has too many wildcards");
}

bool Pattern::conflicts_with(const Pattern& other) const noexcept {
    // A pattern with a host is more specific than any without.
    if (host_ != other.host_) return false;
    const Relation relation =
        combined(compare_methods(method_, other.method_), compare(segments_, other.segments_));
    return relation == Relation::equal || relation == Relation::overlapping;
}

bool Pattern::is_prefix_of(const Pattern& route) const noexcept {
    if (segments_.size() > route.segments_.size()) return false;
    return std::ranges::equal(segments_, std::span{route.segments_}.first(segments_.size()),
                              [](const Segment& own, const Segment& its) {
                                  return own.kind == its.kind &&
                                         (own.kind == Segment::Kind::one || own.text == its.text);
                              });
}

bool Pattern::is_prefix_of(std::string_view path) const {
    for (const Segment& segment : segments_) {
        if (!path.starts_with('/')) return false;
        path.remove_prefix(1);
        const std::string_view its = path.substr(0, path.find('/'));
        std::string decoded;
        const bool same =
            append_decoded(decoded, its) &&
            (segment.kind == Segment::Kind::one ? !decoded.empty() : decoded == segment.text);
        if (!same) return false;
        path.remove_prefix(its.size());
    }
    return true;
}

}  // namespace weir::web
