#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/base/instant.h"

namespace weir::http {

class Response;

/// Identifies a request of a connection. An id is never used twice in the life of a connection.
using RequestId = std::uint64_t;

/// Says where a later answer goes: to which connection of the engine, and to which of its requests.
struct Ticket {
    std::uint64_t connection = 0;
    RequestId request = 0;

    bool operator==(const Ticket&) const = default;
};

/// Carries answers and wake-ups from any thread to the thread that drives the connection. The
/// engine makes it; any thread may call every member. It ignores a ticket if the connection has
/// closed or the request is no longer under way.
class Postbox {
   public:
    virtual ~Postbox() = default;
    virtual void answer(Ticket ticket, Response&& response) = 0;
    virtual void wake(Ticket ticket) = 0;
    /// The time by the clock that the connection's deadlines are counted by.
    virtual Instant now() const noexcept { return {}; }
};

/// What a handler can learn about the peer. The engine implements it; it lives as long as the
/// connection. Only the thread that drives the connection or runs its handler calls it.
class Origin {
   public:
    /// Appends the peer's address without a port: "192.0.2.7", "2001:db8::7" or "unix:".
    virtual void append_address(std::string& out) const = 0;
    /// The destination of later answers and wake-ups. Called only for requests that need it.
    virtual std::shared_ptr<Postbox> postbox() = 0;
    /// The value of Ticket::connection for this connection.
    virtual std::uint64_t number() const noexcept = 0;

   protected:
    ~Origin() = default;
};

}  // namespace weir::http
