#include "weir/web/next.h"

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "web/calling/called_later.h"
#include "web/calling/chain.h"
#include "web/calling/conversation.h"
#include "web/calling/errors.h"
#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/function_middleware.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using detail::CallState;
using detail::Conversation;
using detail::Endpoint;
using http::Reply;

/// Calls the endpoint of a route as a connection would.
class EndpointHandler final : public http::Handler {
   public:
    explicit EndpointHandler(CallState& call) noexcept : call_{call} {}
    Reply handle(const http::Request&) override {
        return detail::reply_of(*call_.route->endpoint, call_);
    }

   private:
    CallState& call_;
};

/// The wait for the response of a handler that replies to the connection: at the head, or mounted.
class [[nodiscard]] Replied final : public detail::Awaited {
   public:
    explicit Replied(Conversation& conversation)
        : conversation_{conversation},
          handler_{conversation.call()},
          later_{handler_, conversation.shared_request()},
          prefix_bytes_{static_cast<std::uint32_t>(conversation.request().prefix().size())} {}

    bool begin(detail::Runner&) {
        poll();
        return !response_;
    }
    Response await_resume() {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        return std::move(*response_);
    }
    bool is_ready(Instant) noexcept override {
        try {
            poll();
        } catch (...) {
            failure_ = std::current_exception();
        }
        return response_.has_value() || failure_ != nullptr;
    }
    Instant due() const noexcept override { return later_.due(); }
    bool wants_content() const noexcept override { return conversation_.has_reply(); }
    bool end() noexcept override {
        later_.cut();
        conversation_.request().mount(prefix_bytes_);
        return true;
    }
    bool takes_over(const detail::Remains&) noexcept override {
        later_.cut();
        return false;
    }

   private:
    void poll() {
        Reply reply = later_.resume();
        if (auto* const response = std::get_if<Response>(&reply)) {
            conversation_.request().mount(prefix_bytes_);
            response_ = std::move(*response);
        } else if (!std::holds_alternative<http::Later>(reply)) {
            conversation_.reply(std::move(reply));
        }
    }

    Conversation& conversation_;
    EndpointHandler handler_;
    detail::CalledLater later_;
    const std::uint32_t prefix_bytes_;  // as the middleware has seen it
    std::optional<Response> response_{};
    std::exception_ptr failure_;
};

/// The wait for the response of a callback. Nothing if its call was destroyed without one.
class [[nodiscard]] Responded final : public detail::Awaited {
   public:
    explicit Responded(Conversation& conversation) noexcept : conversation_{conversation} {}

    bool begin(detail::Runner&) { return !is_ready({}); }
    std::optional<Response> await_resume() { return std::move(response_); }
    bool is_ready(Instant) noexcept override {
        if (!response_) response_ = conversation_.take_answer();
        return response_ || conversation_.is_dropped();
    }

   private:
    Conversation& conversation_;
    std::optional<Response> response_{};
};

/// The wait for the connection, or the time limit, to refuse what is within a next().
class [[nodiscard]] Refused final : public detail::Awaited {
   public:
    explicit Refused(const Conversation& conversation) noexcept : conversation_{conversation} {}

    bool begin(detail::Runner&) noexcept { return !is_ready({}); }
    void await_resume() const noexcept {}
    bool is_ready(Instant) noexcept override { return conversation_.is_refused(); }

   private:
    const Conversation& conversation_;
};

/// Calls the handler of the route, in whichever form.
Task<Response> answer(std::shared_ptr<Conversation> conversation) {
    CallState& state = conversation->call();
    Endpoint& endpoint = *state.route->endpoint;
    switch (endpoint.form) {
        case Endpoint::Form::coroutine: {
            auto handler = endpoint.start(Call{conversation});
            co_return co_await handler;
        }
        case Endpoint::Form::mounted:
        case Endpoint::Form::at_head: co_return co_await Replied{*conversation};
        case Endpoint::Form::function:
        case Endpoint::Form::callback: break;
    }
    if (state.request->content_pending()) co_await Body{*conversation}.all();
    if (endpoint.form == Endpoint::Form::function)
        co_return std::get<Response>(endpoint.answer(Call{state}));
    detail::hand_over(conversation);
    auto response = co_await Responded{*conversation};
    co_return response ? std::move(*response) : detail::end_unanswered(state);
}

/// The middleware within keeps its errors to itself: the one around it gets a response.
Response response_to_exception(Conversation& conversation) try {
    return detail::end_with_exception(conversation.call());
} catch (http::Failure& failure) {
    conversation.note({failure.text, failure.cause});
    return std::move(failure.response);
}

/// While it lives, complete() calls only the middleware that is reached from here on. If it ends
/// early, none of that is called any more.
class Inside {
   public:
    explicit Inside(CallState& state) noexcept
        : state_{state}, before_{std::exchange(state.around, ++state.reached)} {}
    ~Inside() { state_.reached = std::exchange(state_.around, before_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    CallState& state_;
    const std::uint32_t before_;
};

Task<Response> go_on(std::shared_ptr<Conversation> conversation) {
    CallState& state = conversation->call();
    const Inside inside{state};
    std::optional<Response> response;
    try {
        response = detail::run_before(state);
        if (!response) {
            auto rest = detail::rest_of(conversation);
            auto first = co_await when_any(std::move(rest), Refused{*conversation});
            response = first.index() == 0 ? std::get<0>(std::move(first))
                                          : detail::end_with(state, conversation->take_refusal());
        }
        detail::complete(state, *response);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (...) {
        response = response_to_exception(*conversation);
    }
    co_return std::move(*response);
}

}  // namespace

Next::Next(std::shared_ptr<Conversation> conversation) noexcept
    : conversation_{std::move(conversation)} {}
Next::Next(Next&&) noexcept = default;
Next::~Next() = default;

Task<Response> Next::operator()() {
    if (!conversation_) throw std::logic_error{"next() was called a second time"};
    return go_on(std::move(conversation_));
}

Task<Response> detail::rest_of(const std::shared_ptr<Conversation>& conversation) {
    const CallState& state = conversation->call();
    Around* const around = state.route->around(state.reached);
    if (around != nullptr) return around->start(Call{conversation}, Next{conversation});
    return answer(conversation);
}

}  // namespace weir::web
