#include "web/calling/chain.h"

#include <cstdint>
#include <exception>
#include <utility>
#include <variant>

#include "web/calling/conversation.h"
#include "web/calling/errors.h"

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

void hand_over(const std::shared_ptr<Conversation>& conversation) try {
    conversation->call().route->endpoint->hand_over(Call{conversation, Call::Owed{}});
} catch (...) {
    if (!conversation->has_answer()) throw;
    conversation->note({handler_threw, std::current_exception()});
}

http::Reply limited(http::Reply&& reply, const CallState& call) noexcept {
    const std::uint64_t bytes_max = call.notes ? call.notes->content_bytes_max : 0;
    if (auto* const read = std::get_if<http::ReadContent>(&reply)) {
        if (read->bytes_max == 0) read->bytes_max = bytes_max;
    } else if (auto* const stream = std::get_if<http::StreamContent>(&reply)) {
        if (stream->bytes_max == 0) stream->bytes_max = bytes_max;
    }
    return std::move(reply);
}

}  // namespace weir::web::detail
