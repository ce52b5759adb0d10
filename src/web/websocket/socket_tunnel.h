#pragma once

#include <memory>
#include <span>

#include "web/websocket/socket.h"

namespace weir::web::detail {

/// Connects a coroutine and its connection through a socket.
class SocketTunnel final : public Socket {
   public:
    SocketTunnel(http::Waker waker, AbandonedJobs* jobs, std::shared_ptr<SocketUser> user,
                 SocketTerms terms) noexcept
        : Socket{std::move(waker), jobs, std::move(user), terms} {}

    Pulled pull(std::span<char> into) override;
    Instant due() const noexcept override;
    void done(http::Outcome) noexcept override;

   private:
    void run();
    void conclude();
};

}  // namespace weir::web::detail
