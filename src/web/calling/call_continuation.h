#pragma once

#include <memory>
#include <optional>

#include "web/calling/conversation.h"
#include "web/routing/route.h"
#include "weir/http/handler.h"
#include "weir/web/await.h"
#include "weir/web/refusal.h"

namespace weir::web::detail {

/// Brings the response of a callback or a coroutine to the connection.
class CallContinuation final : public http::Continuation {
   public:
    explicit CallContinuation(std::shared_ptr<Conversation> conversation);
    ~CallContinuation() override { cut(); }

    /// Takes the coroutine, which answer() begins, and the owner of the function that made it.
    void start(Task<http::Response> task, std::shared_ptr<const void> owner);
    /// The response, if there is one. Rethrows the exception of the coroutine.
    std::optional<http::Response> answer();

    http::Reply resume() override;
    Instant due() const noexcept override;
    void cut() noexcept override;

   private:
    using Frame = std::coroutine_handle<Promise<http::Response>>;

    std::optional<http::Response> find_answer();
    http::Response returned();

    std::shared_ptr<Conversation> conversation_;  // null after cut()
    Runner runner_;
    Frame frame_{};
    Instant answer_by_ = never;
    bool is_answered_ = false;
};

http::Response response_of(const Refusal& refusal);

/// Calls the middleware of the call's route for the response, from the `count`th to the first one.
void complete(CallState& state, http::Response& response, std::size_t count);

}  // namespace weir::web::detail
