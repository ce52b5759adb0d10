#pragma once

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "base/troubles.h"
#include "engines/peer/completion.h"
#include "net/clock.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Passes responses and wake-ups from other threads to the thread of an io_context: asio::post()
/// does what CompletionQueue does for the other loops. Handlers may keep the postbox for longer
/// than the context lives, so the context calls close() at its end.
class AsioPostbox final : public http::Postbox {
   public:
    /// Called on the context's thread. Without a response, it is a wake-up.
    using Deliver = std::function<void(Completion&&)>;

    AsioPostbox(asio::io_context& context, Deliver deliver)
        : context_{&context}, deliver_{std::move(deliver)} {}

    void answer(http::Ticket ticket, http::Response&& response) override {
        post({ticket, std::move(response)});
    }
    void wake(http::Ticket ticket) override { post({ticket, std::nullopt}); }
    Instant now() const noexcept override { return net::read_clock().instant; }

    /// Responses and wake-ups are dropped from now on.
    void close() {
        const std::scoped_lock lock{mutex_};
        context_ = nullptr;
    }

   private:
    void post(Completion&& completion) {
        const std::scoped_lock lock{mutex_};
        if (!context_) return completion.drop(http::Outcome::stopped);
        try {
            asio::post(*context_, [this, completion = std::move(completion)]() mutable {
                deliver_(std::move(completion));
            });
        } catch (const std::bad_alloc&) {  // as in CompletionQueue, the request times out
            troubles().note(Trouble::memory);
        }
    }

    std::mutex mutex_;
    asio::io_context* context_;  // null after close()
    const Deliver deliver_;
};

}  // namespace weir::engines
