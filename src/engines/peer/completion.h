#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "http/answer/dropped.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// A response or a wake-up from another thread, for the thread that owns the connection; or a new
/// connection for that thread. The source of a response that is not taken out of the completion gets
/// its last call (http::drop()).
class Completion {
   public:
    Completion(http::Ticket ticket, std::optional<http::Response> answer) noexcept
        : ticket_{ticket}, answer_{std::move(answer)} {}
    explicit Completion(std::unique_ptr<http::Outbound> outbound) noexcept
        : outbound_{std::move(outbound)} {}
    ~Completion() { drop(http::Outcome::peer_gone); }
    Completion(Completion&& other) noexcept
        : ticket_{other.ticket_}, answer_{other.take()}, outbound_{std::move(other.outbound_)} {}
    Completion& operator=(Completion&& other) noexcept {
        std::swap(ticket_, other.ticket_);
        std::swap(answer_, other.answer_);
        std::swap(outbound_, other.outbound_);
        return *this;
    }

    /// The connection to be opened. Null: it is a response or a wake-up.
    std::unique_ptr<http::Outbound>& outbound() noexcept { return outbound_; }
    const http::Ticket& ticket() const noexcept { return ticket_; }
    void deliver(http::Connection& connection, Now now) {
        if (auto answer = take())
            connection.respond(ticket_.request, std::move(*answer), now);
        else
            connection.wake(ticket_.request, now);
    }
    /// Nothing: it is a wake-up.
    std::optional<http::Response> take() noexcept { return std::exchange(answer_, std::nullopt); }
    void drop(http::Outcome outcome) noexcept {
        if (auto answer = take()) http::drop(std::move(*answer), outcome);
    }

   private:
    http::Ticket ticket_;
    std::optional<http::Response> answer_;
    std::unique_ptr<http::Outbound> outbound_;
};

}  // namespace weir::engines
