#pragma once

#include <coroutine>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "web/websocket/socket.h"
#include "weir/http/tunnel.h"
#include "weir/web/await.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// Connects a coroutine and its connection through a socket.
class SocketTunnel final : public http::Tunnel {
   public:
    SocketTunnel(const http::Waker& waker, AbandonedJobs* jobs, std::shared_ptr<SocketUser> user,
                 SocketTerms terms);
    ~SocketTunnel() override { finish(); }

    Pulled pull(std::span<char> into) override;
    Instant due() const noexcept override;
    void done(http::Outcome) noexcept override { finish(); }
    bool takes() const noexcept override { return ends_->socket.takes(); }
    std::size_t take(std::string_view bytes) override { return ends_->socket.take(bytes); }
    void end_input() noexcept override { ends_->socket.end_input(); }
    void retire() noexcept override { ends_->socket.close(CloseCode::going_away, {}); }
    std::size_t bytes() const noexcept override { return ends_->socket.bytes(); }

   private:
    /// In one piece of memory, which the coroutine's WebSocket shares.
    struct Ends {
        Ends(const http::Waker& waker, AbandonedJobs* jobs, SocketTerms terms)
            : runner{waker, jobs}, socket{runner.waker(), std::move(terms)} {}

        Runner runner;
        std::coroutine_handle<Promise<void>> frame{};
        Socket socket;
    };

    void run();
    void start();
    void conclude();
    void finish() noexcept;

    std::shared_ptr<SocketUser> user_;  // null after start(): the runner has it
    std::shared_ptr<Ends> ends_;
    bool has_started_ = false;
    bool is_concluded_ = false;  // the coroutine has returned
    bool is_finished_ = false;
};

}  // namespace weir::web::detail
