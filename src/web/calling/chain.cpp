#include "web/calling/chain.h"

namespace weir::web::detail {

std::optional<Response> run_before(CallState& call) {
    const Call view{call};
    const auto& chain = call.route->chain;
    for (; call.reached < chain.size() && chain[call.reached].around == nullptr; ++call.reached)
        if (auto response = chain[call.reached].middleware->before(view)) return response;
    return std::nullopt;
}

void complete(CallState& call, Response& response) {
    const Call view{call};
    while (call.reached > call.around)
        call.route->chain[--call.reached].middleware->after(view, response);
}

http::Reply reply_of(Endpoint& endpoint, CallState& call) {
    return endpoint.form == Endpoint::Form::mounted ? endpoint.pass_on(*call.request)
                                                    : endpoint.answer(Call{call});
}

}  // namespace weir::web::detail
