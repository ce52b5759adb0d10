#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "web/calling/chain.h"
#include "web/calling/errors.h"
#include "weir/http/handler.h"
#include "weir/web/router.h"

namespace weir::web::detail {

/// Passes a request on to a handler that is mounted, which sees the path behind the prefix.
class MountedEndpoint final : public Endpoint {
   public:
    MountedEndpoint(http::Handler& handler, std::size_t prefix_segments) noexcept
        : Endpoint{Form::mounted}, handler_{handler}, prefix_segments_{prefix_segments} {}

    http::Reply pass_on(const http::Request& request) override {
        const auto outer = static_cast<std::uint32_t>(request.prefix().size());
        request.mount(outer + prefix_bytes(request.path()));
        try {
            http::Reply reply = handler_.handle(request);
            // A handler whose response comes later may have shared the request with another thread.
            if (!std::holds_alternative<http::Later>(reply)) request.mount(outer);
            return reply;
        } catch (...) {
            request.mount(outer);
            throw;
        }
    }

   private:
    /// The pattern has matched: the path has this number of segments, and a slash behind them.
    std::uint32_t prefix_bytes(std::string_view path) const noexcept {
        std::size_t end = 0;
        for (std::size_t i = 0; i < prefix_segments_; ++i) end = path.find('/', end + 1);
        return static_cast<std::uint32_t>(end);
    }

    http::Handler& handler_;
    std::size_t prefix_segments_;
};

/// Calls the middleware also for a response that comes later.
class ChainedContinuation final : public http::Continuation {
   public:
    ChainedContinuation(CallState&& call, std::uint32_t prefix_bytes,
                        std::unique_ptr<http::Continuation> inner)
        : call_{std::move(call)},
          request_{call_.request->share()},
          prefix_bytes_{prefix_bytes},
          inner_{std::move(inner)} {}

    http::Reply resume() override try {
        http::Reply reply = limited(inner_->resume(), call_);
        if (auto* const response = std::get_if<Response>(&reply)) {
            request_->mount(prefix_bytes_);
            complete(call_, *response);
        }
        return reply;
    } catch (...) {
        request_->mount(prefix_bytes_);
        return end_with_exception(call_);
    }
    std::optional<Response> refused(Status status, std::string_view reason) override {
        auto response = inner_->refused(status, reason);
        request_->mount(prefix_bytes_);
        if (!response) return end_all_with(call_, detail::refused(status, reason));
        complete(call_, *response);
        return response;
    }
    Instant due() const noexcept override { return inner_->due(); }
    std::size_t bytes() const noexcept override { return inner_->bytes(); }
    bool ends_with_peer() const noexcept override { return inner_->ends_with_peer(); }
    void cut() noexcept override { inner_->cut(); }

   private:
    CallState call_;
    std::shared_ptr<const http::Request> request_;
    std::uint32_t prefix_bytes_;  // as the middleware has seen it
    std::unique_ptr<http::Continuation> inner_;
};

}  // namespace weir::web::detail
