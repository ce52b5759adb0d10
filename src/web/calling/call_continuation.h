#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "web/calling/conversation.h"
#include "web/routing/route.h"
#include "weir/http/handler.h"
#include "weir/web/await.h"

namespace weir::web::detail {

/// Brings the response of a callback or a coroutine to the connection.
class CallContinuation final : public http::Continuation {
   public:
    explicit CallContinuation(std::shared_ptr<Conversation> conversation);
    ~CallContinuation() override { cut(); }

    /// Takes the coroutine, which answer() begins, and the owner of the functions that it uses.
    /// `is_around`: it is middleware, which waits for a callback itself.
    void start(Task<http::Response> task, std::shared_ptr<const void> owner, bool is_around);
    /// The response, if there is one. Throws http::Failure and std::bad_alloc.
    std::optional<http::Response> answer();

    http::Reply resume() override;
    std::optional<http::Response> refused(Status status, std::string_view reason) override;
    Instant due() const noexcept override;
    bool ends_with_peer() const noexcept override { return true; }
    void cut() noexcept override;

   private:
    using Frame = std::coroutine_handle<Promise<http::Response>>;

    std::optional<http::Response> find_answer();
    std::optional<http::Response> finished();
    std::optional<http::Response> end_in_time();
    bool ends_within(const Cause& cause);
    std::optional<http::Response> brought(std::optional<http::Response> response);
    void close() noexcept;
    void count_time() noexcept;

    std::shared_ptr<Conversation> conversation_;  // null after cut()
    Runner runner_;
    Frame frame_{};
    std::shared_ptr<const void> owner_{};  // of the functions that the coroutine uses
    std::chrono::milliseconds time_{0};    // the limit by middleware; 0: none
    Instant answer_by_ = never;
    bool is_around_ = false;
    bool was_coming_ = false;  // content, when the time was last looked at
    bool is_answered_ = false;
};

}  // namespace weir::web::detail
