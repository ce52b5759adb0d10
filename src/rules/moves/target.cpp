#include "rules/moves/target.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "http/syntax/authority.h"
#include "rules/moves/encoding.h"
#include "rules/moves/host_name.h"

namespace weir::rules {
namespace {

constexpr std::array<std::string_view, 2> schemes{"http://", "https://"};

/// The size of "https://example.org" in front of the path; 0 if there is no such thing.
std::size_t origin_size(std::string_view text) noexcept {
    for (const std::string_view scheme : schemes)
        if (text.starts_with(scheme))
            return std::min(text.find_first_of("/?#", scheme.size()), text.size());
    return 0;
}

bool has_control(std::string_view text) noexcept {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

/// "{rest...}" and "{rest}" both mean the wildcard `rest`.
std::optional<std::size_t> index_of(std::string_view name,
                                    std::span<const std::string> names) noexcept {
    if (name.ends_with("...")) name.remove_suffix(3);
    const auto found = std::ranges::find(names, name);
    if (name.empty() || found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

/// A second slash at the beginning would make a host of the next segment (RFC 3986 4.2).
void keep_one_slash(std::string& path) {
    const std::size_t slashes = std::min(path.find_first_not_of('/'), path.size());
    if (slashes > 1) path.erase(0, slashes - 1);
}

}  // namespace

std::expected<Target, std::string> Target::parse(std::string_view text,
                                                 std::span<const std::string> names) {
    Target target;
    std::string_view rest = text;
    std::string refusal = target.refuse_origin(rest);
    if (refusal.empty()) refusal = target.add_pieces(rest, names);
    if (!refusal.empty())
        return std::unexpected{"the target '" + std::string{text} + "' " + refusal};
    return target;
}

/// Takes the origin off `text`.
std::string Target::refuse_origin(std::string_view& text) {
    if (has_control(text)) return "has a control character";
    const std::size_t size = origin_size(text);
    if (size == 0 && (!text.starts_with('/') || text.starts_with("//")))
        return "is neither a path such as /new nor a URL such as https://example.org/new";
    origin_ = text.substr(0, size);
    text.remove_prefix(size);
    if (size == 0) return {};
    const std::string_view authority = std::string_view{origin_}.substr(origin_.find("//") + 2);
    if (!http::is_authority(authority, http::Port::optional) || authority.contains('{'))
        return "has no valid host";
    origin_ = normal_origin(origin_);
    return {};
}

/// Returns the fault; empty if there is none.
std::string Target::add_pieces(std::string_view text, std::span<const std::string> names) {
    Part part = Part::path;
    for (;;) {
        const std::size_t brace = std::min(text.find_first_of("{}"), text.size());
        add_text(text.substr(0, brace), part);
        text.remove_prefix(brace);
        if (text.empty()) return {};
        const std::size_t end = text.find('}');
        if (text.front() == '}' || end == text.npos) return "has a brace without its other half";
        const std::string_view name = text.substr(1, end - 1);
        const auto capture = index_of(name, names);
        if (!capture) return "uses {" + std::string{name} + "}, which the pattern does not have";
        pieces_.back().capture = *capture;
        pieces_.back().part = part;
        text.remove_prefix(end + 1);
    }
}

/// Sets `part` to the one in which the text ends.
void Target::add_text(std::string_view text, Part& part) {
    Piece& piece = pieces_.emplace_back();
    append_written(piece.text, text);
    if (part == Part::path && text.substr(0, text.find('#')).contains('?')) {
        part = Part::query;
        has_query_ = true;
    }
    if (part != Part::fragment && text.contains('#')) {
        part = Part::fragment;
        has_fragment_ = true;
    }
    piece.part = part;
}

std::string Target::expand(const Captures& captures, std::string_view query) const {
    std::string place;
    for (const Piece& piece : pieces_) {
        place += piece.text;
        if (piece.capture == no_capture) continue;
        const std::string_view captured = captures[piece.capture];
        piece.part == Part::path ? append_path(place, captured) : append_value(place, captured);
    }
    const std::size_t hash = std::min(place.find('#'), place.size());
    if (!query.empty()) place.insert(hash, (has_query_ ? "&" : "?") + std::string{query});
    if (origin_.empty()) keep_one_slash(place);
    return origin_ + place;
}

}  // namespace weir::rules
