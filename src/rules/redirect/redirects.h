#pragma once

#include <utility>
#include <vector>

#include "rules/redirect/moves.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Redirects requests to other addresses.
class Redirects final : public http::Handler {
   public:
    /// `inner` must outlive it.
    Redirects(std::vector<Move> moves, http::Handler& inner)
        : moves_{std::move(moves)}, inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

   private:
    const std::vector<Move> moves_;
    http::Handler& inner_;
};

/// Lets the handlers behind it see another path, once for each request: what is rewritten is not
/// looked at again.
class Rewrites final : public http::Handler {
   public:
    /// `inner` must outlive it.
    Rewrites(std::vector<Move> moves, http::Handler& inner)
        : moves_{std::move(moves)}, inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

   private:
    const std::vector<Move> moves_;
    http::Handler& inner_;
};

}  // namespace weir::rules
