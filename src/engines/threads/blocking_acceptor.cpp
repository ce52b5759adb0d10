#include "engines/threads/blocking_acceptor.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engines/peer/poll.h"
#include "net/clock.h"

namespace weir::engines {
namespace {

using net::Accepted;
using net::Listener;
using State = net::StopSignal::State;
using Kind = Accepted::Kind;

constexpr std::size_t asked_per_pause = 64;
constexpr std::chrono::milliseconds time_to_leave{100};

enum Watched : std::size_t { stop, also_watched, first_listener };

}  // namespace

BlockingAcceptor::BlockingAcceptor(Host& host, ConnectionLimit& limit)
    : host_{host},
      limit_{limit},
      watched_(first_listener + host.listeners.size(), pollfd{-1, POLLIN, 0}),
      undrained_{host.listeners} {
    watched_[stop].fd = host.stop.descriptor(State::running);
}

std::optional<Accepted> BlockingAcceptor::next(int also) {
    while (host_.stop.state() == State::running) {
        if (Listener* const listener = ready_listener()) {
            Accepted accepted = accept(*listener);
            if (accepted.kind == Kind::connection) return accepted;
        } else if (wait(also)) {
            return Accepted{Kind::none};
        }
    }
    return next_queued(also >= 0);
}

/// Returns whether `also` is readable.
bool BlockingAcceptor::wait(int also) {
    watched_[also_watched] = {also, POLLIN, 0};
    for (std::size_t i = 0; i < host_.listeners.size(); ++i)
        watched_[first_listener + i] = {host_.listeners[i].fd(), POLLIN, 0};
    return engines::poll(watched_, -1) > 0 && watched_[also_watched].revents != 0;
}

/// A listener that the last wait() found readable; each of them once.
Listener* BlockingAcceptor::ready_listener() noexcept {
    for (std::size_t i = 0; i < host_.listeners.size(); ++i)
        if (std::exchange(watched_[first_listener + i].revents, 0) != 0) return &host_.listeners[i];
    return nullptr;
}

Accepted BlockingAcceptor::accept(Listener& listener) {
    Accepted accepted = limit_.accept(listener);
    if (accepted.kind == Kind::exhausted) {
        ask_for_evictions(listener);
        pause();
    } else if (accepted.kind == Kind::connection) {
        if (std::exchange(has_asked_, false)) limit_.evictions().withdraw();
    }
    return accepted;
}

/// The first request is for idle connections, and the next one also for unfinished ones. Before
/// that, an evicted connection has a moment to end: otherwise each pause would cost one more.
void BlockingAcceptor::ask_for_evictions(const Listener& listener) {
    const std::size_t waiting = std::min<std::size_t>(listener.waiting(), asked_per_pause);
    if (waiting == 0) return;
    limit_.note_refusal();
    const Instant now = net::read_instant();
    if (has_asked_ && now < ask_again_at_) return;
    ask_again_at_ = now + time_to_leave;
    const bool again = std::exchange(has_asked_, true);
    limit_.evictions().ask(waiting,
                           again ? EvictionScope::past_grace : EvictionScope::idle_past_grace);
}

/// When a listener closes, the kernel resets the connections in its queue. So the connections that
/// wait at the stop are accepted first. Later ones are not, because they might never end.
std::optional<Accepted> BlockingAcceptor::next_queued(bool may_be_empty) {
    for (; !undrained_.empty(); undrained_ = undrained_.subspan(1), queued_.reset()) {
        Listener& listener = undrained_.front();
        if (!queued_) queued_ = listener.queued();
        while (*queued_ > 0 && may_go_on()) {
            Accepted accepted = accept(listener);
            if (accepted.kind == Kind::none || accepted.kind == Kind::failed) break;
            if (accepted.kind != Kind::exhausted) --*queued_;
            if (accepted.kind == Kind::connection || may_be_empty) return accepted;
        }
        listener.close();
    }
    return std::nullopt;
}

void BlockingAcceptor::pause() const {
    pollfd watched{host_.stop.descriptor(host_.stop.state()), POLLIN, 0};
    engines::poll({&watched, 1}, static_cast<int>(ConnectionLimit::pause.count()));
}

bool BlockingAcceptor::may_go_on() const {
    return host_.stop.state() != State::now && net::read_instant() < host_.cut_at();
}

}  // namespace weir::engines
