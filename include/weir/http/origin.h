#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

class Response;

/// Takes answers and wake-ups from other threads to the loop that owns the connection. Made by the
/// engine; every member may be called from any thread. A ticket whose connection has gone is
/// ignored.
class Postbox {
   public:
    virtual ~Postbox() = default;
    virtual void answer(std::uint64_t ticket, Response&& response) = 0;
    virtual void wake(std::uint64_t ticket) = 0;
};

/// The peer's side of a connection as handlers may see it. Implemented by the engine; lives as
/// long as the connection; called by the thread that drives the connection or runs its handler.
class Origin {
   public:
    /// Appends "192.0.2.7", "2001:db8::7" or "unix:", without a port.
    virtual void append_address(std::string& out) const = 0;
    /// Where a later answer for the request now in hand goes. Called at most once a request, and
    /// only for requests that are answered later.
    virtual std::shared_ptr<Postbox> postbox() = 0;
    virtual std::uint64_t ticket() = 0;

   protected:
    ~Origin() = default;
};

}  // namespace weir::http
