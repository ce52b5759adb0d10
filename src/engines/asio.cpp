// asio: a thread per core, each with an io_context of Asio, in which each connection is a session.
//
// Who waits:          each thread, in io_context::run(), for the operations of its sessions. A
//                     session does not ask whether a socket is ready. It starts an operation of
//                     Asio (async_accept, async_read_some, async_send). Asio does the work once
//                     that is possible, and calls back with the result.
// Where handlers run: inline, on the thread of the session's context.
// What is shared:     the count of connections. If all threads ran one context, each session would
//                     need a strand.
// An idle connection: 8.8 KB. A read that waits needs a buffer, so each session has one of 8 KB.
//                     The rest is Asio's socket and timer, and the operations that wait.
// Calls per request:  recv, sendmsg, a share of epoll_wait, and often a recv in vain, because Asio
//                     tries to read before it waits. Asio calls back in a later turn, even if an
//                     operation is done at once: with one connection, that is a second epoll_wait.
//                     Asio sends while the loop serves other sessions, so take_ownership() first copies
//                     each response out of the workspace.
//
// Where it breaks: an operation can't be taken back. If its session closes, the operation is
// canceled, but its callback still runs. So each operation keeps its session alive
// (shared_from_this), and each callback first checks whether the session is closed. A read that was
// started takes the bytes that arrive, even if the connection does not want them by then: the
// session keeps them.
//
// When it is right: programs that use Asio already, because their authors know this code. A loop
// that asks Asio only for readiness, and reads and sends by itself, costs less
// (docs/decisions/0012).
//
// asio/context.h has the parts that are not about one session: the stop, and responses from other
// threads. asio/acceptor.h has async_accept.

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <asio/buffer.hpp>
#include <asio/error.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <expected>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/troubles.h"
#include "engines/asio/context.h"
#include "engines/entry_points.h"
#include "engines/loop/loops.h"
#include "engines/peer/transfer.h"
#include "net/clock.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using Error = std::error_code;  // asio::error_code is the same

/// A connection, from its accept to the last of its callbacks.
class Session final : public AsioSession,
                      public http::Origin,
                      public std::enable_shared_from_this<Session> {
   public:
    Session(AsioContext& context, AsioSocket socket, const net::PeerAddress& address,
            std::uint64_t number)
        : context_{context},
          socket_{std::move(socket)},
          alarm_{context.io()},
          address_{address},
          number_{number},
          connection_{context.host().connect(context.workspace(), *this, context.now())} {}
    /// A connection that the server opens.
    Session(AsioContext& context, AsioSocket socket, http::Outbound& outbound, std::uint64_t number)
        : context_{context},
          socket_{std::move(socket)},
          alarm_{context.io()},
          number_{number},
          connection_{outbound.connect(*this, context.now())} {}

    void append_address(std::string& out) const override {
        if (address_) address_->append_to(out);
    }
    std::shared_ptr<http::Postbox> postbox() override { return context_.postbox(); }
    std::uint64_t number() const noexcept override { return number_; }
    std::uint8_t listener_kind() const noexcept override {
        return address_ ? address_->listener_kind() : std::uint8_t{0};
    }

    void start() override { drive(); }
    void deliver(Completion&& completion) override {
        completion.deliver(*connection_, context_.now());
        drive();
    }
    void evict() override {
        connection_->evict(context_.now());
        drive();
    }
    void retire() override {
        connection_->retire(context_.now());
        drive();
    }
    void fail(http::Outcome why) override {
        connection_->fail(why, context_.now());
        drive();
    }
    const http::Connection& connection() const override { return *connection_; }
    bool has_bytes() override {
        char byte;
        return has_read_ || ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
    }

   private:
    /// If Asio has no memory for an operation, the connection fails.
    void drive() try { take_steps(); } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        if (!connection_) return;
        connection_->fail(http::Outcome::out_of_memory, context_.now());
        close();
    }

    void take_steps() {
        for (;;) {
            switch (connection_->step()) {
                case Step::drain: finish_sending(); [[fallthrough]];
                case Step::receive:
                case Step::exchange:
                    if (!receive() && rest()) return;
                    break;
                case Step::handle: handle(); break;
                case Step::wait:
                    if (!is_lost_ && rest()) return;
                    if (!is_lost_) break;
                    connection_->fail(http::Outcome::peer_gone, context_.now());
                    break;
                case Step::transmit:
                    if (rest()) return;
                    break;
                case Step::close: return close();
            }
        }
    }

    /// Makes a callback for Asio. It keeps the session alive, and does nothing if the connection is
    /// closed.
    template <typename... Result>
    auto completion(void (Session::*take)(Result...)) {
        return [self = shared_from_this(), take](Result... result) {
            if (!self->connection_) return;
            self->context_.read_clock();
            (self.get()->*take)(result...);
        };
    }

    /// Before the loop turns to another session: starts all operations that the connection can use
    /// at its step. An operation of an earlier step may still be under way, and its result is kept.
    /// False if take_ownership() has changed the step.
    bool rest() {
        if (connection_->take_ownership(context_.now())) return false;
        const Step step = connection_->step();
        if (http::reads(step)) start_reading();
        if (http::sends(step)) start_sending();
        if (step == Step::wait) watch_for_loss();
        watch_deadline();
        context_.look_at_descriptors();
        return true;
    }

    void start_reading() {
        if (std::exchange(is_reading_, true)) return;
        socket_.async_read_some(asio::buffer(buffer_), completion(&Session::take_read));
    }
    void take_read(Error error, std::size_t size) {
        is_reading_ = false;
        has_read_ = true;
        read_error_ = error;
        bytes_read_ = size;
        drive();
    }
    /// Passes the result of a read to the connection. False if there is none.
    bool receive() {
        if (!std::exchange(has_read_, false)) return false;
        if (!read_error_)
            connection_->receive({buffer_.data(), bytes_read_}, context_.now());
        else if (read_error_ == asio::error::eof)
            connection_->receive_end(context_.now());
        else
            connection_->fail(http::Outcome::peer_gone, context_.now());
        return true;
    }

    void handle() {
        const http::Request& request = connection_->take_request();
        const http::RequestId id = request.id();
        connection_->respond(id, context_.host().handler.handle(request), context_.now());
    }

    /// Uses async_send, because async_write reports nothing before all is sent: a peer that takes a
    /// little at a time would seem to take nothing. Asio has no sendfile(2): for a file, the
    /// session waits for space in the socket.
    void start_sending() {
        if (std::exchange(is_sending_, true)) return;
        const http::Transmission what = connection_->transmit();
        if (what.part_bytes() == 0)
            return socket_.async_wait(AsioSocket::wait_write, completion(&Session::send_file));
        const std::array parts{asio::buffer(what.parts[0]), asio::buffer(what.parts[1]),
                               asio::buffer(what.parts[2])};
        socket_.async_send(parts, what.more_follows() ? MSG_MORE : 0,
                           completion(&Session::take_sent));
    }
    void take_sent(Error error, std::size_t size) {
        is_sending_ = false;
        if (error)
            connection_->fail(http::Outcome::peer_gone, context_.now());
        else
            connection_->transmitted(size, context_.now());
        drive();
    }
    void send_file(Error /*sendfile(2) finds it out*/) {
        is_sending_ = false;
        if (http::sends(connection_->step()))
            transmit_file(*connection_, socket_.native_handle(), context_.now());
        drive();
    }
    void finish_sending() {
        Error ignored;
        if (!std::exchange(is_sending_finished_, true))
            socket_.shutdown(AsioSocket::shutdown_send, ignored);
    }

    /// At `wait` no read is started. So this operation reports that the peer has gone.
    void watch_for_loss() {
        if (std::exchange(is_watched_for_loss_, true)) return;
        socket_.async_wait(AsioSocket::wait_error, completion(&Session::may_be_lost));
    }
    /// Urgent data counts as an error here (EPOLLPRI in epoll(7)), and would be reported for ever.
    /// In that case no further wait is started, and the next send finds out that the peer has gone.
    void may_be_lost(Error /*none*/) {
        pollfd state{socket_.native_handle(), 0, 0};
        ::poll(&state, 1, 0);
        is_lost_ = (state.revents & (POLLERR | POLLHUP)) != 0;
        drive();
    }

    /// Most requests move the deadline to a later time. The alarm stays at its time then, and is
    /// set again once it rings.
    void watch_deadline() {
        const Instant deadline = connection_->deadline();
        if (deadline >= alarm_at_) return;
        alarm_at_ = deadline;
        alarm_.expires_after(
            std::chrono::milliseconds{net::wait_milliseconds(deadline, context_.now().instant)});
        alarm_.async_wait(completion(&Session::take_alarm));
    }
    void take_alarm(Error error) {
        if (error) return;  // the alarm was set to another time
        alarm_at_ = never;
        expire(*connection_, socket_.native_handle(), context_.now());
        drive();
    }

    /// The operations under way are canceled. Their callbacks still run.
    void close() {
        Error ignored;
        if (connection_->resets()) net::reset_on_close(socket_.native_handle());
        connection_.reset();
        socket_.close(ignored);
        alarm_.cancel();
        context_.session_closed(number_, address_ ? &*address_ : nullptr);
    }

    AsioContext& context_;
    AsioSocket socket_;
    asio::steady_timer alarm_;
    const std::optional<net::PeerAddress> address_{};  // of an accepted connection
    const std::uint64_t number_;
    std::unique_ptr<http::Connection> connection_;  // null once closed
    Instant alarm_at_ = never;
    std::size_t bytes_read_ = 0;
    Error read_error_;
    bool is_reading_ = false;
    bool has_read_ = false;  // receive() has not passed the result on yet
    bool is_sending_ = false;
    bool is_sending_finished_ = false;
    bool is_watched_for_loss_ = false;
    bool is_lost_ = false;
    std::array<char, 8192> buffer_;
};

std::shared_ptr<AsioSession> connect(AsioContext& context, AsioSocket socket,
                                     const net::PeerAddress& address, std::uint64_t number) {
    return std::make_shared<Session>(context, std::move(socket), address, number);
}

std::shared_ptr<AsioSession> adopt(AsioContext& context, AsioSocket socket,
                                   http::Outbound& outbound, std::uint64_t number) {
    return std::make_shared<Session>(context, std::move(socket), outbound, number);
}

std::expected<Loop, std::error_code> open_loop(Host& host, ConnectionLimit& limit,
                                               std::span<net::Listener> listeners) {
    auto context = std::make_unique<AsioContext>(host, limit, listeners, connect, adopt);
    if (const auto error = context->open()) return std::unexpected{error};
    return [context = std::move(context)] {
        const net::SigpipeBlocked sigpipe_blocked;
        context->run();
    };
}

}  // namespace

std::error_code run_asio(Host& host) try {
    return run_loops(host, open_loop);
} catch (const std::system_error& error) {
    return error.code();
}

std::string_view asio_unavailable() { return {}; }

}  // namespace weir::engines
