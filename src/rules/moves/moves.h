#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/moves/path_pattern.h"
#include "rules/moves/target.h"
#include "weir/http/status.h"

namespace weir::rules {

/// A redirect or a rewrite.
struct Move {
    PathPattern pattern;
    Target target;
    http::Status status = http::Status::found;

    /// "PATTERN: [STATUS] TARGET"; the status is 301, 302 (the default), 303, 307 or 308. The error
    /// is a sentence without its full stop.
    static std::expected<Move, std::string> parse_redirect(std::string_view text);
    /// "PATTERN: TARGET", with a path as the target.
    static std::expected<Move, std::string> parse_rewrite(std::string_view text);
};

/// Parses all texts by one of the two functions. The error is that of the first wrong one.
using ParseMove = std::expected<Move, std::string> (*)(std::string_view);
std::expected<std::vector<Move>, std::string> parse_moves(const std::vector<std::string>& texts,
                                                          ParseMove parse);

/// The destination of a request, by the first of the moves that matches.
struct Destination {
    const Move* move;
    std::string target;  // as Target::expand() gives it
};

/// True if the expanded target is the request's own address.
bool leads_back(const Target& target, std::string_view expanded, const Asked& asked,
                std::string_view own_origin);

/// `own_origin` ("https://example.org") is that of the request. A move to the request's own address
/// does not count, and the next one is tried.
std::optional<Destination> find_destination(const std::vector<Move>& moves, const Asked& asked,
                                            std::string_view own_origin);

/// The pattern of a redirect that starts an endless chain of redirects, as far as an example shows
/// it; empty if there is none.
std::string find_endless(const std::vector<Move>& redirects);

}  // namespace weir::rules
