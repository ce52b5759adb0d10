#pragma once

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "base/troubles.h"
#include "net/clock.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Takes answers and wake-ups from other threads to the thread of an io_context: asio::post() is
/// what CompletionQueue is to the other loops. Handlers may keep it for longer than the context
/// lives, so it is told when that goes.
class AsioPostbox final : public http::Postbox {
   public:
    /// Called on the context's thread. Without a response, it is a wake-up.
    using Deliver = std::function<void(http::Ticket, std::optional<http::Response>)>;

    AsioPostbox(asio::io_context& context, Deliver deliver)
        : context_{&context}, deliver_{std::move(deliver)} {}

    void answer(http::Ticket ticket, http::Response&& response) override {
        post(ticket, std::move(response));
    }
    void wake(http::Ticket ticket) override { post(ticket, std::nullopt); }
    Instant now() const noexcept override { return net::read_clock().instant; }

    /// Nothing is taken from now on.
    void close() {
        const std::scoped_lock lock{mutex_};
        context_ = nullptr;
    }

   private:
    void post(http::Ticket ticket, std::optional<http::Response> response) {
        const std::scoped_lock lock{mutex_};
        if (!context_) return;
        try {
            asio::post(*context_, [this, ticket, response = std::move(response)]() mutable {
                deliver_(ticket, std::move(response));
            });
        } catch (const std::bad_alloc&) {  // as in CompletionQueue, the request's deadline is due
            troubles().note(Trouble::memory);
        }
    }

    std::mutex mutex_;
    asio::io_context* context_;  // null once it has gone
    const Deliver deliver_;
};

}  // namespace weir::engines
