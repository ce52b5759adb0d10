#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"
#include "weir/server/log.h"

namespace weir::http {
class Layer;
}  // namespace weir::http

namespace weir::server {

/// As the members of Options with the same names.
struct OwnLoopOptions {
    http::Limits limits{};
    http::Timeouts timeouts{};
    /// What tls::open() returned, for this loop alone. Null: the connections are plain.
    std::shared_ptr<http::Layer> tls{};
    bool h2 = true;
    bool h2c = false;
    /// How much memory all connections of this loop together may keep, in bytes. 0: a quarter of
    /// what the machine, the control group and RLIMIT_AS allow.
    std::uint64_t memory_max = 0;
};

/// For a program that has an event loop (Asio, GLib, Qt, or poll(2)) and drives weir from it, in the
/// place of Server::run(). The program owns sockets, waiting and threads; weir/http/connection.h says
/// which call is made at which step. This class gives it connections, runs the handler, and brings
/// answers that other threads give. examples/own-loop is such a program.
///
/// One thread uses it, and all connections that it has made; a program with several loops makes one
/// for each. There is no access log. The program closes connections when it has too many, limits
/// them by address, and retires them at its end.
class OwnLoop {
   public:
    /// `handler` and `log` must outlive it. If the handler throws, the peer gets a 500, and the log
    /// the exception. Throws std::system_error if the system has no descriptor or thread left.
    explicit OwnLoop(http::Handler& handler, OwnLoopOptions options = {},
                     Log& log = standard_error_log());
    /// All of its connections must have been destroyed. Answers that come later are dropped.
    ~OwnLoop();
    OwnLoop(const OwnLoop&) = delete;
    OwnLoop& operator=(const OwnLoop&) = delete;

    /// The protocol's side of a new connection. `origin` describes its peer, and must outlive it.
    /// Throws std::bad_alloc.
    std::unique_ptr<http::Connection> connect(http::Origin& origin);

    /// At the step `handle`: takes the next request, runs the handler, and gives its reply to the
    /// connection.
    void handle(http::Connection& connection) noexcept;

    /// The time, for all calls of a connection. It is up to 10 ms late, and costs no system call.
    static Now now() noexcept;

    // ---- answers and wake-ups from elsewhere: from other threads, and from this one ----

    /// For Origin::postbox().
    std::shared_ptr<http::Postbox> postbox() const noexcept;
    /// Readable while there is mail. Belongs to this object.
    int mail_fd() const noexcept;

    /// An answer or a wake-up for one connection.
    class Mail {
       public:
        /// The Origin::number() of the connection. If that has closed, drop the mail.
        std::uint64_t connection() const noexcept { return ticket_.connection; }
        /// Once. Then drive the connection.
        void deliver(http::Connection& connection);

       private:
        friend class OwnLoop;
        Mail(http::Ticket ticket, std::optional<http::Response> answer) noexcept
            : ticket_{ticket}, answer_{std::move(answer)} {}

        http::Ticket ticket_;
        std::optional<http::Response> answer_;  // none: a wake-up
    };
    /// What has come since the last call. Throws std::bad_alloc.
    std::vector<Mail> collect();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace weir::server
