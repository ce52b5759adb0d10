#include "upstream/races.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/background_thread.h"
#include "net/clock.h"

namespace weir::upstream {

void Races::add(Race&& race, Decided decided) {
    const std::scoped_lock lock{mutex_};
    if (stops_) return;
    watched_.reserve(1);
    std::list<Entry> added(1);  // all that can fail comes before the race is moved
    if (!is_running_) start();
    added.front() = {std::move(race), std::move(decided)};
    new_.splice(new_.end(), added);
    event_->signal();
}

/// The caller has the lock. The thread of before has ended, or ends without it.
void Races::start() {
    if (thread_.joinable()) thread_.join();
    net::EventFd event;
    thread_ = start_background_thread([this] { run(); });
    event_.emplace(std::move(event));
    is_running_ = true;
}

void Races::stop() noexcept {
    {
        const std::scoped_lock lock{mutex_};
        stops_ = true;
        if (event_) event_->signal();
    }
    if (thread_.joinable()) thread_.join();
    entries_.clear();
    new_.clear();
}

/// Without memory, the races under way are lost.
void Races::run() noexcept {
    while (go_on()) {
        try {
            wait();
            advance();
        } catch (const std::bad_alloc&) {
            entries_.clear();
        }
    }
}

/// Takes the new races. False at the stop, or if there is no race: the thread ends.
bool Races::go_on() noexcept {
    const std::scoped_lock lock{mutex_};
    entries_.splice(entries_.end(), new_);
    is_running_ = !stops_ && !entries_.empty();
    if (!is_running_)
        event_.reset();
    else
        event_->clear();
    return is_running_;
}

void Races::advance() {
    const Instant now = net::read_instant();
    for (auto each = entries_.begin(); each != entries_.end();) {
        const Race::State state = each->race.advance(now);
        if (state != Race::State::undecided)
            each->decided(std::move(each->race), state == Race::State::won);
        each = state == Race::State::undecided ? std::next(each) : entries_.erase(each);
    }
}

void Races::wait() {
    Instant due = never;
    watched_.assign(1, {.fd = event_->fd(), .events = POLLIN, .revents = 0});
    for (const Entry& each : entries_) {
        due = std::min(due, each.race.due());
        each.race.append_to(watched_);
    }
    ::poll(watched_.data(), watched_.size(), net::wait_milliseconds(due, net::read_instant()));
}

}  // namespace weir::upstream
