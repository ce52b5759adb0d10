#include "weir/rules/moves.h"

#include <optional>
#include <utility>

#include "rules/addressed.h"
#include "rules/moves/moves.h"

namespace weir::rules {
namespace {

class Redirects final : public http::Handler {
   public:
    Redirects(http::Handler& inner, std::vector<Move> moves)
        : inner_{inner}, moves_{std::move(moves)} {}

    http::Reply handle(const http::Request& request) override {
        const auto found =
            destination_of(request, request.asked_path(), request.asked_query(), moves_);
        if (!found) return inner_.handle(request);
        http::Response response = http::error_response(found->move->status);
        response.add("Location", found->target);
        return response;
    }

   private:
    http::Handler& inner_;
    const std::vector<Move> moves_;
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> redirect(
    http::Handler& inner, const std::vector<std::string>& rules) {
    auto moves = parse_moves(rules, Move::parse_redirect);
    if (!moves) return std::unexpected{std::move(moves.error())};
    if (const auto endless = find_endless(*moves); !endless.empty())
        return std::unexpected{"'" + endless + "' leads from redirect to redirect without an end"};
    return std::make_unique<Redirects>(inner, std::move(*moves));
}

std::expected<std::unique_ptr<http::Handler>, std::string> rewrite(
    http::Handler& inner, const std::vector<std::string>& rules) {
    return lead(inner, rules, {});
}

}  // namespace weir::rules
