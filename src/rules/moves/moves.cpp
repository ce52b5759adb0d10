#include "rules/moves/moves.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/trimmed.h"
#include "rules/moves/encoding.h"
#include "site/path/target_path.h"

namespace weir::rules {
namespace {

using http::Status;

struct Parts {
    std::string_view pattern;
    std::string_view target;
};

std::expected<Parts, std::string> split(std::string_view text, const char* form) {
    const std::size_t colon = text.find(": ");
    if (colon == text.npos)
        return std::unexpected{"'" + std::string{text} + "' is not of the form '" + form + "'"};
    return Parts{.pattern = trimmed(text.substr(0, colon)),
                 .target = trimmed(text.substr(colon + 1))};
}

/// Takes "308 " off the text; null if it begins with no number. The error: no status of a redirect.
std::expected<std::optional<Status>, std::string> take_status(std::string_view& text) {
    unsigned code = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    if (error != std::errc{}) return std::nullopt;
    constexpr std::array usable{Status::moved_permanently, Status::found, Status::see_other,
                                Status::temporary_redirect, Status::permanent_redirect};
    const auto found = std::ranges::find(usable, code, http::code);
    if (found == usable.end() || end == text.data() + text.size() || *end != ' ')
        return std::unexpected{"'" + std::string{text} +
                               "' does not begin with 301, 302, 303, 307 or 308 and a target"};
    text = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return *found;
}

std::expected<Move, std::string> parse(Parts parts, Status status) {
    auto pattern = PathPattern::parse(parts.pattern);
    if (!pattern) return std::unexpected{pattern.error()};
    auto target = Target::parse(parts.target, pattern->pattern().names());
    if (!target) return std::unexpected{target.error()};
    return Move{.pattern = std::move(*pattern), .target = std::move(*target), .status = status};
}

/// The request's own target, as Target::expand() would write it: below the prefix, like the
/// targets that are paths, or whole, like those with a host.
std::string written(const Asked& asked, bool is_whole) {
    std::string target;
    if (is_whole) append_path(target, asked.prefix);
    append_path(target, asked.path);
    if (!asked.query.empty()) target.append("?").append(asked.query);
    return target;
}

/// A path that the pattern matches.
std::string example_of(const web::Pattern& pattern) {
    std::string path;
    for (const auto& segment : pattern.segments()) {
        path += '/';
        const bool is_named =
            segment.kind != web::Pattern::Segment::Kind::literal && !segment.text.empty();
        path += is_named ? "example-of-" + segment.text : segment.text;
    }
    return path;
}

bool is_endless(const std::vector<Move>& moves, const Move& first) {
    const web::Pattern& pattern = first.pattern.pattern();
    const std::string_view method =
        pattern.method().empty() ? std::string_view{"GET"} : pattern.method();
    std::string target;
    append_path(target, example_of(pattern));
    constexpr int steps_max = 20;  // limits of browsers, and of servers
    constexpr std::size_t target_bytes_max = 8192;
    for (int step = 0; step < steps_max && target.size() <= target_bytes_max; ++step) {
        const std::string_view whole = target;
        const std::size_t path_end = std::min(whole.find_first_of("?#"), whole.size());
        const auto path = site::decoded_path(whole.substr(0, path_end));
        if (!path) return false;
        const Asked asked{.method = method, .host = pattern.host(), .path = *path, .query = {}};
        auto next = find_destination(moves, asked, {});
        if (!next || !next->move->target.origin().empty()) return false;
        target = std::move(next->target);
    }
    return true;
}

}  // namespace

std::expected<Move, std::string> Move::parse_redirect(std::string_view text) {
    auto parts = split(text, "PATTERN: [STATUS] TARGET");
    if (!parts) return std::unexpected{parts.error()};
    const auto status = take_status(parts->target);
    if (!status) return std::unexpected{status.error()};
    return parse(*parts, status->value_or(Status::found));
}

std::expected<Move, std::string> Move::parse_rewrite(std::string_view text) {
    const auto parts = split(text, "PATTERN: TARGET");
    if (!parts) return std::unexpected{parts.error()};
    auto move = parse(*parts, Status::ok);
    if (move && (!move->target.origin().empty() || move->target.has_fragment()))
        return std::unexpected{"the target '" + std::string{parts->target} +
                               "' of a rewrite must be a path of this site"};
    return move;
}

std::expected<std::vector<Move>, std::string> parse_moves(const std::vector<std::string>& texts,
                                                          ParseMove parse) {
    std::vector<Move> moves;
    for (const std::string& text : texts) {
        auto move = parse(text);
        if (!move) return std::unexpected{std::move(move.error())};
        moves.push_back(std::move(*move));
    }
    return moves;
}

bool leads_back(const Target& target, std::string_view expanded, const Asked& asked,
                std::string_view own_origin) {
    const std::string& origin = target.origin();
    if (!origin.empty() && origin != own_origin) return false;
    const std::string_view place = expanded.substr(origin.size());
    return place.substr(0, place.find('#')) == written(asked, !origin.empty());
}

std::optional<Destination> find_destination(const std::vector<Move>& moves, const Asked& asked,
                                            std::string_view own_origin) {
    Captures captures;
    for (const Move& move : moves) {
        if (!move.pattern.matches(asked, captures)) continue;
        std::string target = move.target.expand(captures, asked.query);
        if (leads_back(move.target, target, asked, own_origin)) continue;
        return Destination{.move = &move, .target = std::move(target)};
    }
    return std::nullopt;
}

std::string find_endless(const std::vector<Move>& redirects) {
    for (const Move& move : redirects)
        if (is_endless(redirects, move)) return move.pattern.pattern().text();
    return {};
}

}  // namespace weir::rules
