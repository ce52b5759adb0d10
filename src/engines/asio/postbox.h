#pragma once

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <functional>
#include <memory>
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
    void adopt(std::unique_ptr<http::Outbound> outbound) override {
        post(Completion{std::move(outbound)});
    }
    Instant now() const noexcept override { return net::read_instant(); }

    /// Responses and wake-ups are dropped from now on.
    void close() {
        const std::scoped_lock lock{mutex_};
        context_ = nullptr;
    }

   private:
    /// A completion that does not get through is dropped without the lock: its response may own
    /// anything, and the source of the response may use the postbox.
    void post(Completion&& completion) try {
        const auto posted = std::make_shared<Completion>(std::move(completion));
        if (!pass_on(posted)) posted->drop(http::Outcome::stopped);
    } catch (const std::bad_alloc&) {  // as in CompletionQueue, the request times out
        troubles().note(Trouble::memory);
    }
    bool pass_on(const std::shared_ptr<Completion>& posted) {
        const std::scoped_lock lock{mutex_};
        if (!context_) return false;
        asio::post(*context_, [this, posted] { deliver_(std::move(*posted)); });
        return true;
    }

    std::mutex mutex_;
    asio::io_context* context_;  // null after close()
    const Deliver deliver_;
};

}  // namespace weir::engines
