#pragma once

#include <cstdint>
#include <memory>
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

/// The members have the meaning of those of Options with the same names.
struct OwnLoopOptions {
    http::Limits limits{};
    http::Timeouts timeouts{};
    /// The result of tls::open(), which no other loop may have. Null: the connections are plain.
    std::shared_ptr<http::Layer> tls{};
    bool h2 = true;
    bool h2c = false;
    /// The memory that all connections of this loop together may keep, in bytes. 0: a quarter of
    /// the memory that the machine, the control group and RLIMIT_AS allow.
    std::uint64_t memory_max = 0;
};

/// For a program that has an event loop (Asio, GLib, Qt, or poll(2)) and drives weir from it,
/// instead of calling Server::run(). The program owns the sockets, the waiting and the threads;
/// weir/http/connection.h says which call belongs to which step. OwnLoop makes connections, runs
/// the handler, and collects the responses that other threads give. examples/own-loop is such a
/// program.
///
/// Only one thread may use an OwnLoop and the connections that it has made; a program with several
/// loops makes one OwnLoop for each. There is no access log, and no handler can open a connection of
/// its own: proxy::proxy_to() answers 502. The program closes connections when it has too many,
/// limits them by address, and retires them at its end.
class OwnLoop {
   public:
    /// `handler` and `log` must outlive the loop. If the handler throws, the peer gets a 500, and
    /// the exception is written to the log. Throws std::system_error if the system has no
    /// descriptor or thread left.
    explicit OwnLoop(http::Handler& handler, OwnLoopOptions options = {},
                     Log& log = standard_error_log());
    /// All connections of the loop must have been destroyed. Responses that come later are dropped.
    ~OwnLoop();
    OwnLoop(const OwnLoop&) = delete;
    OwnLoop& operator=(const OwnLoop&) = delete;

    /// Makes the protocol part of a new connection. `origin` describes its peer, and must outlive
    /// the connection. Throws std::bad_alloc.
    std::unique_ptr<http::Connection> connect(http::Origin& origin);

    /// To call at the step `handle`: takes the next request, runs the handler, and gives its reply
    /// to the connection.
    void handle(http::Connection& connection) noexcept;

    /// The time to pass to all calls of a connection. The clock is up to 10 ms late, and reading it
    /// costs no system call.
    static Now now() noexcept;

    // ---- responses and wake-ups from this and other threads ----: from other threads, and from
    // this one ----

    /// The result of the program's Origin::postbox().
    std::shared_ptr<http::Postbox> postbox() const noexcept;
    /// A descriptor that is readable while there is mail. The loop owns it.
    int mail_fd() const noexcept;

    /// A response or a wake-up for one connection.
    class Mail {
       public:
        Mail(Mail&&) noexcept = default;
        Mail& operator=(Mail&&) noexcept = default;

        /// The Origin::number() of the connection. If that connection has closed, drop the mail.
        std::uint64_t connection() const noexcept { return connection_; }
        /// To call once. Then drive the connection.
        void deliver(http::Connection& connection);

       private:
        friend class OwnLoop;
        struct Content;
        Mail(std::uint64_t connection, std::shared_ptr<Content> content) noexcept
            : connection_{connection}, content_{std::move(content)} {}

        std::uint64_t connection_;
        std::shared_ptr<Content> content_;
    };
    /// The mail that has come since the last call. Throws std::bad_alloc.
    std::vector<Mail> collect();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace weir::server
