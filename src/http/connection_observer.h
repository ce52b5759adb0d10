#pragma once

namespace weir::http {

/// Told how far each connection is, so that somebody knows what a stop leaves to do. Called by the
/// thread that drives the connection. Must not block.
class ConnectionObserver {
   public:
    virtual void opened() noexcept = 0;
    /// Once: it knows that the server stops.
    virtual void retired() noexcept = 0;
    /// Once, before retired() or after it: it has a request to finish before it can stop.
    virtual void at_work() noexcept = 0;
    virtual void closed(bool was_retired, bool was_at_work) noexcept = 0;

   protected:
    ~ConnectionObserver() = default;
};

}  // namespace weir::http
