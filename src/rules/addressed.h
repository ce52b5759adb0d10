#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/moves/moves.h"
#include "rules/moves/prefix_path.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Lets the handlers further in see the path that a request leads to: rewritten, and below a prefix
/// (http::Request::prefix()). They see the one that was asked for, too (asked_path()). So a rule for
/// either holds.
class Addressed final : public http::Handler {
   public:
    /// `inner` must outlive it.
    Addressed(http::Handler& inner, std::vector<Move> rewrites, std::optional<PrefixPath> prefix)
        : inner_{inner}, rewrites_{std::move(rewrites)}, prefix_{std::move(prefix)} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& inner_;
    const std::vector<Move> rewrites_;
    const std::optional<PrefixPath> prefix_;
};

/// Answers 404 to requests that are not below a prefix, and redirects the prefix itself to the one with
/// a slash behind it. It belongs around the site, inside of Addressed and of all rules.
class BelowPrefix final : public http::Handler {
   public:
    /// `inner` must outlive it.
    BelowPrefix(http::Handler& inner, PrefixPath prefix)
        : inner_{inner}, prefix_{std::move(prefix)} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response redirect(const http::Request& request) const;

    http::Handler& inner_;
    const PrefixPath prefix_;
};

/// Addressed for rules of rewrite() and a prefix; either may be empty.
std::expected<std::unique_ptr<http::Handler>, std::string> lead(
    http::Handler& inner, const std::vector<std::string>& rewrites, std::string_view prefix);

/// The handler is called again, with the content, and the path must be restored. One that goes on later
/// needs the new path, and so does the log: it asks whose request it was.
bool is_called_again(const http::Reply& reply) noexcept;
/// "https://example.org" of the request, as normal_origin() gives it.
std::string own_origin(const http::Request& request);

/// Where the first of the moves that matches leads a request for this path and query, not decoded.
std::optional<Destination> destination_of(const http::Request& request, std::string_view path,
                                          std::string_view query, const std::vector<Move>& moves);

}  // namespace weir::rules
