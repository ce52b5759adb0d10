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

/// Gives the inner handlers another path of the request: below a prefix (http::Request::prefix()),
/// and rewritten there. They also see the path that the client asked for (asked_path()), so a
/// rule for either path holds.
class Addressed final : public http::Handler {
   public:
    /// `inner` must outlive this handler.
    Addressed(http::Handler& inner, std::vector<Move> rewrites, std::optional<PrefixPath> prefix)
        : inner_{inner}, rewrites_{std::move(rewrites)}, prefix_{std::move(prefix)} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& inner_;
    const std::vector<Move> rewrites_;
    const std::optional<PrefixPath> prefix_;
};

/// Responds with 404 to requests that are not below a prefix, and redirects the prefix itself to
/// the path with a slash behind it. It belongs around the site, inside of Addressed and of all
/// rules.
class BelowPrefix final : public http::Handler {
   public:
    /// `inner` must outlive this handler.
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

/// redirect() for requests below a prefix that Addressed takes off; the paths of the rules, too, are
/// below it. False: there is none.
std::expected<std::unique_ptr<http::Handler>, std::string> redirect_below(
    http::Handler& inner, const std::vector<std::string>& rules, bool has_prefix);

/// True if the handler is called again, with the content: then the path must be restored. A
/// response that comes later needs the new path, and so does the log, which asks for the user of
/// the request.
bool is_called_again(const http::Reply& reply) noexcept;
/// The request's own origin, as normal_origin() returns it: "https://example.org".
std::string own_origin(const http::Request& request);

/// The destination of a request with this path, which is below the prefix, and this query, all not
/// decoded, by the first move that matches.
std::optional<Destination> destination_of(const http::Request& request, std::string_view prefix,
                                          std::string_view path, std::string_view query,
                                          const std::vector<Move>& moves);

}  // namespace weir::rules
