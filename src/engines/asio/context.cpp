#include "engines/asio/context.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <cerrno>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "engines/asio/meanwhile.h"
#include "net/unique_fd.h"

namespace weir::engines {
namespace {

using net::StopSignal;

std::error_code open_duplicate(asio::posix::stream_descriptor& descriptor, int fd) {
    const int duplicate = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);  // Asio closes the duplicate
    if (duplicate < 0) return {errno, std::generic_category()};
    std::error_code error;
    descriptor.assign(duplicate, error);
    if (error) ::close(duplicate);
    return error;
}

}  // namespace

AsioContext::AsioContext(Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners,
                         Connect connect, Adopt adopt)
    : host_{host},
      workspace_{host.limits, host.timeouts, host.observer},
      acceptor_{io_,
                limit,
                listeners,
                [this](AsioSocket socket, const net::PeerAddress& address) {
                    admit(std::move(socket), address);
                },
                [this] {
                    acceptor_.accept();
                    end_if_done();
                },
                [this](std::size_t waiting) { evict_soon(waiting); }},
      connect_{std::move(connect)},
      adopt_{std::move(adopt)},
      postbox_{std::make_shared<AsioPostbox>(
          io_, [this](Completion&& completion) { deliver(std::move(completion)); })},
      evictor_{limit.evictions(), host.timeouts} {
    evictor_.join(postbox_);
    if (host.loop_opened) host.loop_opened(postbox_);
}

AsioContext::~AsioContext() { postbox_->close(); }

std::error_code AsioContext::open() {
    auto error = open_duplicate(draining_, host_.stop.descriptor(StopSignal::State::running));
    if (!error)
        error = open_duplicate(cutting_, host_.stop.descriptor(StopSignal::State::draining));
    return error ? error : acceptor_.open();
}

void AsioContext::run() {
    serve_until_done(io_, [this] { return serve(); });
}

/// False if Asio had no memory for an operation that is not a session's: the caller tries again.
bool AsioContext::serve() try {
    if (hears_ && host_.stop.state() != StopSignal::State::running) obey_stop();
    if (!hears_) {
        hear(draining_);
        hear(cutting_);
        hears_ = true;
    }
    acceptor_.accept_again();
    io_.run();
    return true;
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return false;
}

void AsioContext::admit(AsioSocket socket, const net::PeerAddress& address) {
    read_clock();
    const std::uint64_t number = ++last_number_;
    const auto session = connect_(*this, std::move(socket), address, number);
    sessions_.emplace(number, session);  // these two may throw: the connection closes
    if (is_stopping_)
        session->retire();
    else
        session->start();
}

/// If Asio has no memory for it, the connection is lost, and no other.
void AsioContext::adopt(http::Outbound& outbound) try {
    if (host_.stop.state() == StopSignal::State::now) return;
    net::UniqueFd opened{outbound.release_socket()};
    AsioSocket socket{io_};
    std::error_code error;
    socket.assign(AsioProtocol{AF_INET, IPPROTO_TCP}, opened.get(), error);  // any family: unused
    if (error) return;
    static_cast<void>(opened.release());
    const std::uint64_t number = ++last_number_;
    const auto session = adopt_(*this, std::move(socket), outbound, number);
    sessions_.emplace(number, session);
    if (is_stopping_)
        session->retire();
    else
        session->start();
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

void AsioContext::session_closed(std::uint64_t number, const net::PeerAddress* address) {
    sessions_.erase(number);
    if (address != nullptr) acceptor_.connection_closed(*address);
    end_if_done();
}

void AsioContext::deliver(Completion&& completion) {
    // If a stop came before the response, it is obeyed first, although that takes a turn longer.
    if (!is_stopping_ && host_.stop.state() != StopSignal::State::running) {
        asio::post(io_, [this, completion = std::move(completion)]() mutable {
            deliver(std::move(completion));
        });
        return;
    }
    if (const auto outbound = std::move(completion.outbound())) {
        read_clock();
        return adopt(*outbound);
    }
    const auto found = sessions_.find(completion.ticket().connection);
    if (found == sessions_.end()) {
        if (evictor_.is_due(0)) evict_soon(0);
        return;
    }
    const auto session = found->second;
    read_clock();
    session->deliver(std::move(completion));
}

/// Obeys the stop after the events that have arrived: a request that has reached the server is read
/// before its connection is retired.
void AsioContext::hear(Descriptor& stop) {
    stop.async_wait(Descriptor::wait_read,
                    [this](std::error_code) { asio::post(io_, [this] { obey_stop(); }); });
}

void AsioContext::obey_stop() {
    if (!is_stopping_) drain();
    if (host_.stop.state() == StopSignal::State::now) cut();
}

void AsioContext::drain() {
    read_clock();
    const auto all = sessions();
    cut_timer_.expires_after(host_.cut_at() - net::read_instant());
    cut_timer_.async_wait([this](std::error_code error) {
        if (!error) cut();
    });
    is_stopping_ = true;  // all that may throw has been done
    for (const auto& session : all) session->retire();
    acceptor_.drain();
    end_if_done();
}

void AsioContext::cut() {
    read_clock();
    acceptor_.close();
    while (!sessions_.empty()) {
        const auto session = sessions_.begin()->second;
        session->fail(http::Outcome::stopped);  // and it closes
    }
    end_if_done();
}

/// Evicts after the events that have arrived, and when no session is in the middle of its turn.
void AsioContext::evict_soon(std::size_t waiting) {
    refused_ = std::max(refused_, waiting);
    if (evicts_soon_) return;
    asio::post(io_, [this] { evict(); });
    evicts_soon_ = true;  // after post(), which may throw
}

void AsioContext::evict() {
    evicts_soon_ = false;
    read_clock();
    const auto list = [this](auto add) {
        for (const auto& [number, session] : sessions_) add(number, session->connection());
    };
    evictor_.evict(std::exchange(refused_, 0), now_.instant, list,
                   [this](std::uint64_t number) { return evict(number); });
}

bool AsioContext::evict(std::uint64_t number) noexcept {
    const auto found = sessions_.find(number);
    if (found == sessions_.end() || found->second->has_bytes()) return false;
    const auto session = found->second;
    session->evict();
    return true;
}

/// Makes a copy, because a session that closes changes `sessions_`.
std::vector<std::shared_ptr<AsioSession>> AsioContext::sessions() const {
    std::vector<std::shared_ptr<AsioSession>> all;
    all.reserve(sessions_.size());
    for (const auto& [number, session] : sessions_) all.push_back(session);
    return all;
}

void AsioContext::end_if_done() {
    if (is_stopping_ && sessions_.empty() && acceptor_.is_closed()) io_.stop();
}

}  // namespace weir::engines
