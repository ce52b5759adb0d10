#pragma once

namespace weir::http {

/// Receives the state of each connection, so that a stopping server knows which requests it still
/// has. The thread that drives the connection makes the calls. They must not block.
class ConnectionObserver {
   public:
    virtual void opened() noexcept = 0;
    /// The connection knows that the server stops. Called once.
    virtual void retired() noexcept = 0;
    /// The connection has a request that it must finish before it can stop. Called once, before
    /// retired() or after it.
    virtual void busy() noexcept = 0;
    virtual void closed(bool was_retired, bool was_busy) noexcept = 0;

   protected:
    ~ConnectionObserver() = default;
};

}  // namespace weir::http
