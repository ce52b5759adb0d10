#include "weir/rules/moves.h"

#include <optional>
#include <string_view>
#include <utility>

#include "http/answer/location.h"
#include "rules/addressed.h"
#include "rules/moves/encoding.h"
#include "rules/moves/moves.h"
#include "site/path/target_path.h"

namespace weir::rules {
namespace {

class Redirects final : public http::Handler {
   public:
    Redirects(http::Handler& inner, std::vector<Move> moves, bool has_prefix)
        : inner_{inner}, moves_{std::move(moves)}, has_prefix_{has_prefix} {}

    http::Reply handle(const http::Request& request) override {
        const std::string_view prefix = has_prefix_ ? request.prefix() : std::string_view{};
        if (has_prefix_ && prefix.empty()) return inner_.handle(request);
        // Other handlers change what follows the prefix, and not the prefix.
        const std::string_view path = request.asked_path().substr(prefix.size());
        const auto found = destination_of(request, prefix, path, request.asked_query(), moves_);
        if (!found) return inner_.handle(request);
        std::string location;
        if (found->move->target.origin().empty())
            append_path(location, site::decoded_path(prefix).value_or(""));
        location += found->target;
        http::Response response = http::error_response(found->move->status);
        response.add("Location", http::location_from(location));
        return response;
    }

   private:
    http::Handler& inner_;
    const std::vector<Move> moves_;
    const bool has_prefix_;
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> redirect_below(
    http::Handler& inner, const std::vector<std::string>& rules, bool has_prefix) {
    auto moves = parse_moves(rules, Move::parse_redirect);
    if (!moves) return std::unexpected{std::move(moves.error())};
    if (const auto endless = find_endless(*moves); !endless.empty())
        return std::unexpected{"'" + endless + "' leads from redirect to redirect without an end"};
    return std::make_unique<Redirects>(inner, std::move(*moves), has_prefix);
}

std::expected<std::unique_ptr<http::Handler>, std::string> redirect(
    http::Handler& inner, const std::vector<std::string>& rules) {
    return redirect_below(inner, rules, false);
}

std::expected<std::unique_ptr<http::Handler>, std::string> rewrite(
    http::Handler& inner, const std::vector<std::string>& rules) {
    return lead(inner, rules, {});
}

}  // namespace weir::rules
