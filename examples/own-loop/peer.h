// One connection of weir over a non-blocking socket: all that an event loop owes it, apart from
// waiting. The programs beside this file wait, each in the way of its own loop.
// weir/http/connection.h says what each step means.
#pragma once

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>
#include <weir/server/own_loop.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>

class Peer final : public weir::http::Origin, public std::enable_shared_from_this<Peer> {
   public:
    /// Owns the socket. `number` is never used again.
    Peer(weir::server::OwnLoop& loop, int socket, std::uint64_t number)
        : loop_{loop}, socket_{socket}, number_{number}, connection_{loop.connect(*this)} {}
    ~Peer() {
        const linger reset{.l_onoff = 1, .l_linger = 0};
        if (connection_->resets())
            ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        ::close(socket_);
    }

    /// Does all that can be done without waiting. False once the connection is over.
    bool drive() {
        for (int moves = 0; moves < moves_max || connection_->step() == Step::handle; ++moves)
            if (!move() && !connection_->take_ownership(loop_.now())) break;
        connection_->take_ownership(loop_.now());
        return connection_->step() != Step::close;
    }

    /// What to wait for: POLLIN, POLLOUT, both or neither. Errors always matter.
    short events() const {
        const Step step = connection_->step();
        return static_cast<short>((weir::http::reads(step) ? POLLIN : 0) |
                                  (weir::http::sends(step) ? POLLOUT : 0));
    }
    /// For how long; -1: for ever.
    int wait_milliseconds() const {
        if (connection_->deadline() == weir::never) return -1;
        const auto left = connection_->deadline() - loop_.now().instant;
        const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left);
        return static_cast<int>(std::max(rounded, std::chrono::milliseconds{0}).count());
    }

    // What came of waiting. Call drive() afterwards. Each call settles the connection, because
    // another one may have its turn in between.

    void note_error() { connection_->fail(weir::http::Outcome::peer_gone, loop_.now()); }
    void note_time() {
        int queued = 0;
        if (weir::http::sends(connection_->step())) ::ioctl(socket_, SIOCOUTQ, &queued);
        connection_->expire(loop_.now(), static_cast<std::uint64_t>(queued));
        connection_->take_ownership(loop_.now());
    }
    void note_mail(weir::server::OwnLoop::Mail& mail) {
        mail.deliver(*connection_);
        connection_->take_ownership(loop_.now());
    }
    void note_stop() {
        connection_->retire(loop_.now());
        connection_->take_ownership(loop_.now());
    }

    int socket() const { return socket_; }
    std::uint64_t number() const noexcept override { return number_; }
    void append_address(std::string& out) const override { out += "127.0.0.1"; }
    std::shared_ptr<weir::http::Postbox> postbox() override { return loop_.postbox(); }
    /// A request that another thread still reads keeps this object.
    std::shared_ptr<const void> keep() const override { return shared_from_this(); }

   private:
    using Step = weir::http::Step;
    static constexpr int moves_max = 32;  // then it is another connection's turn

    /// The one thing to do next. False if it has to wait.
    bool move() {
        switch (connection_->step()) {
            case Step::drain: ::shutdown(socket_, SHUT_WR); [[fallthrough]];
            case Step::receive: return receive();
            case Step::handle: loop_.handle(*connection_); return true;
            case Step::transmit: return transmit();
            case Step::exchange: {
                const bool sent = transmit();
                return (weir::http::reads(connection_->step()) && receive()) || sent;
            }
            case Step::wait:
            case Step::close: break;
        }
        return false;
    }

    bool receive() {
        thread_local std::array<char, 64 * 1024> buffer;  // free again after take_ownership()
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (got > 0)
            connection_->receive({buffer.data(), static_cast<std::size_t>(got)}, loop_.now());
        else if (got == 0)
            connection_->receive_end(loop_.now());
        else
            note_error();
        return true;
    }

    bool transmit() {
        const weir::http::Transmission what = connection_->transmit();
        const bool is_file = what.part_bytes() == 0;
        const ssize_t sent = is_file ? send_file(what.file) : send_parts(what);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (sent > 0)
            connection_->transmitted(static_cast<std::uint64_t>(sent), loop_.now());
        else if (is_file && sent == 0)  // it is shorter than it was
            connection_->fail(weir::http::Outcome::source_failed, loop_.now());
        else
            note_error();
        return true;
    }
    ssize_t send_parts(const weir::http::Transmission& what) const {
        std::array<iovec, 3> parts;
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i] = {const_cast<char*>(what.parts[i].data()), what.parts[i].size()};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        const int more = what.more_follows() ? MSG_MORE : 0;
        return ::sendmsg(socket_, &message, MSG_DONTWAIT | MSG_NOSIGNAL | more);
    }
    ssize_t send_file(const weir::http::FileRange& file) const {
        auto offset = static_cast<off_t>(file.offset);
        return ::sendfile(socket_, file.fd, &offset, file.size);
    }

    weir::server::OwnLoop& loop_;
    const int socket_;
    const std::uint64_t number_;
    std::unique_ptr<weir::http::Connection> connection_;
};
