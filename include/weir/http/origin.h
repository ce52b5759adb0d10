#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

class Response;

/// Names a request among those of its connection; never used twice in the life of a connection.
using RequestId = std::uint64_t;

/// Where an answer goes that comes later: which connection of the engine's, and which of its
/// requests.
struct Ticket {
    std::uint64_t connection = 0;
    RequestId request = 0;

    bool operator==(const Ticket&) const = default;
};

/// Takes answers and wake-ups from other threads to the loop that owns the connection. Made by the
/// engine; every member may be called from any thread. A ticket whose connection has gone, or whose
/// request is no longer under way, is ignored.
class Postbox {
   public:
    virtual ~Postbox() = default;
    virtual void answer(Ticket ticket, Response&& response) = 0;
    virtual void wake(Ticket ticket) = 0;
};

/// The peer's side of a connection as handlers may see it. Implemented by the engine; lives as
/// long as the connection; called by the thread that drives the connection or runs its handler.
class Origin {
   public:
    /// Appends "192.0.2.7", "2001:db8::7" or "unix:", without a port.
    virtual void append_address(std::string& out) const = 0;
    /// Where later answers and wake-ups go. Called only for requests that need it.
    virtual std::shared_ptr<Postbox> postbox() = 0;
    /// Ticket::connection of this one.
    virtual std::uint64_t number() const noexcept = 0;

   protected:
    ~Origin() = default;
};

}  // namespace weir::http
