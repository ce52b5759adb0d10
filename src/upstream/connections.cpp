#include "upstream/connections.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include "net/clock.h"
#include "upstream/dial.h"
#include "upstream/names.h"

namespace weir::upstream {

using http::client::Failure;

Connections::Connections(std::shared_ptr<const PoolSettings> settings, std::shared_ptr<Races> races,
                         const std::shared_ptr<http::Postbox>& postbox, std::string host)
    : settings_{std::move(settings)},
      races_{std::move(races)},
      postbox_{postbox},
      host_{std::move(host)},
      parts_{host_.empty() ? nullptr
                           : std::make_shared<http::client::LayerParts>(settings_->limits,
                                                                        settings_->timeouts)} {
    idle_.reserve(settings_->kept_max);
}

bool Connections::begin(const Exchange& exchange, const Target& server, bool fresh) {
    if (!fresh && start_on_idle(exchange)) return false;
    const auto postbox = server.changing ? postbox_.lock() : nullptr;
    lead_to(postbox ? server.changing->addresses(postbox->now()) : server.addresses);
    const bool waits = !begin_or_wait(exchange);
    if (!waits) dial(exchange);
    return waits;
}

/// True: the exchange is to have a new connection, which is counted.
bool Connections::begin_or_wait(const Exchange& exchange) {
    const std::scoped_lock lock{mutex_};
    if (has_room()) {
        ++count_;
        return true;
    }
    if (!add_waiting(exchange)) exchange->fail(Failure::busy);
    return false;
}

bool Connections::start_on_idle(const Exchange& exchange) noexcept {
    while (const auto line = take_idle())
        if (line->start(exchange)) return true;
    return false;
}

std::shared_ptr<Line> Connections::take_idle() noexcept {
    const std::scoped_lock lock{mutex_};
    if (idle_.empty()) return nullptr;
    auto line = std::move(idle_.back());
    idle_.pop_back();
    return line;
}

/// The caller has the lock.
bool Connections::has_room() const noexcept {
    return settings_->connections_max == 0 || count_ < settings_->connections_max;
}

/// The caller has the lock. False if too many wait.
bool Connections::add_waiting(const Exchange& exchange) {
    if (waiting_.size() >= settings_->waiting_max)
        std::erase_if(waiting_, [](const auto& each) { return each->wanted().is_canceled; });
    if (waiting_.size() >= settings_->waiting_max) return false;
    waiting_.push_back(exchange);
    return true;
}

/// Null if none waits. The caller has the lock.
Connections::Exchange Connections::take_waiting() noexcept {
    while (!waiting_.empty()) {
        auto first = std::move(waiting_.front());
        waiting_.pop_front();
        if (!first->wanted().is_canceled) return first;
    }
    return nullptr;
}

bool Connections::keep(std::shared_ptr<Line> line) noexcept {
    Exchange next;
    {
        const std::scoped_lock lock{mutex_};
        if (has_moved_ && !leads_to(line->address())) return false;
        next = take_waiting();
        if (!next && idle_.size() == settings_->kept_max) return false;
        if (!next) idle_.push_back(line);  // the memory is reserved
    }
    return !next || line->start(std::move(next));
}

void Connections::forget(const Line& line) noexcept {
    {
        const std::scoped_lock lock{mutex_};
        std::erase_if(idle_, [&line](const auto& each) { return each.get() == &line; });
        --count_;
    }
    dial_for_waiting();
}

/// A connection that can't be made calls forget(), and this function is at work already.
void Connections::dial_for_waiting() noexcept {
    for (bool is_first = true;; is_first = false) {
        Exchange next;
        {
            const std::scoped_lock lock{mutex_};
            if (is_first && is_dialing_) return;
            if (has_room()) next = take_waiting();
            is_dialing_ = next != nullptr;
            if (!next) return;
            ++count_;
        }
        try {
            dial(next);
        } catch (const std::bad_alloc&) {
            next->fail(Failure::out_of_memory);
        }
    }
}

void Connections::lead_to(Addresses addresses) {
    std::vector<std::shared_ptr<Line>> left;
    {
        const std::scoped_lock lock{mutex_};
        if (std::ranges::equal(addresses, addresses_)) return;
        left.reserve(idle_.size());
        has_moved_ = has_moved_ || !addresses_.empty();
        addresses_.assign(addresses.begin(), addresses.end());
        const auto others = std::ranges::partition(
            idle_, [this](const auto& each) { return leads_to(each->address()); });
        std::ranges::move(others, std::back_inserter(left));
        idle_.erase(others.begin(), others.end());
    }
    for (const auto& each : left) each->finish();
}

/// The caller has the lock.
bool Connections::leads_to(const net::Address& address) const noexcept {
    return std::ranges::find(addresses_, address) != addresses_.end();
}

std::vector<net::Address> Connections::addresses_to_try() {
    const std::scoped_lock lock{mutex_};
    std::vector<net::Address> addresses = addresses_;
    const auto best = std::ranges::find(addresses, winner_);
    if (best != addresses.end()) std::rotate(addresses.begin(), best, std::next(best));
    return addresses;
}

/// The connection is counted. Throws std::bad_alloc: it is counted no longer.
std::shared_ptr<Line> Connections::make_line(const Exchange& exchange) try {
    return std::make_shared<Line>(exchange, shared_from_this());
} catch (const std::bad_alloc&) {
    const std::scoped_lock lock{mutex_};
    --count_;
    throw;
}

/// As above. If there is no connection, the line's end is a failure of the exchange.
void Connections::dial(const Exchange& exchange) {
    auto line = make_line(exchange);
    const auto postbox = postbox_.lock();
    if (!postbox) return;
    if (!postbox->has_network()) return adopt(*postbox, std::move(line), {});
    run(Race{addresses_to_try(), settings_->timeouts.connect}, *postbox, line);
}

/// Mostly, the race is decided at once: by a server on this machine, or as there is one address.
void Connections::run(Race race, http::Postbox& postbox, const std::shared_ptr<Line>& line) {
    const Race::State state = race.advance(net::read_instant());
    if (state == Race::State::won) return end_race(race, postbox, line);
    if (state == Race::State::lost) return;
    try {
        // The thread of the races keeps no share of the line: its connection may end at once.
        auto decided = [self = shared_from_this(), its = line](Race&& ended, bool is_won) mutable {
            const auto back = self->postbox_.lock();
            if (is_won && back) self->end_race(ended, *back, std::move(its));
        };
        races_->add(std::move(race), std::move(decided));
    } catch (const std::system_error&) {
        end_race(race, postbox, line);  // the engine can wait for one of the sockets
    }
}

void Connections::end_race(Race& race, http::Postbox& postbox, std::shared_ptr<Line> line) {
    auto [socket, share, address, ends_at] = race.take_best();
    line->hold(std::move(share), address);
    {
        const std::scoped_lock lock{mutex_};
        winner_ = address;
    }
    adopt(postbox, std::move(line), std::move(socket));
}

void Connections::adopt(http::Postbox& postbox, std::shared_ptr<Line> line, net::UniqueFd socket) {
    auto dial = std::make_unique<Dial>(std::move(socket), std::move(line), settings_->limits,
                                       settings_->timeouts);
    // A test that plays the other server has no certificate for it.
    if (parts_ && postbox.has_network()) dial->secure(settings_->layer, host_, parts_);
    postbox.adopt(std::move(dial));
}

}  // namespace weir::upstream
