#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/peer/room_requests.h"
#include "net/descriptors.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"

namespace weir::engines {

class Candidates;

/// The connections of a loop, as those who ask them to give way see them. It stands on the stack of the
/// caller: it is needed when memory may be short.
class Crowd {
   public:
    /// May throw std::bad_alloc.
    virtual void add_all(Candidates& candidates) = 0;
    /// False where bytes have arrived by now, or the connection has gone.
    virtual bool give_up(std::uint64_t number) = 0;

   protected:
    ~Crowd() = default;
};

/// The connections of a loop that could be given up, in the order in which they go: those that are
/// idle, the one that is idle for longest first; then those that are unfinished, the newest first.
class Candidates {
   public:
    /// A connection that was used a moment ago will probably be used again. And a new one must have
    /// had the time to send its request.
    static constexpr std::chrono::milliseconds grace{250};

    Candidates(Reach reach, const http::Timeouts& timeouts, Instant now) noexcept
        : reach_{reach}, timeouts_{timeouts}, now_{now} {}

    void add(std::uint64_t number, const http::Connection& connection);
    /// Calls `crowd.give_up(number)` until `count` calls have returned true. Returns how many did.
    std::size_t give_up(std::size_t count, Crowd& crowd);

   private:
    struct Candidate {
        Instant deadline;
        std::uint64_t number;
    };

    // All connections have the same timeouts. So the order of deadlines is the order of beginnings.
    bool is_younger(Instant deadline, std::chrono::milliseconds timeout) const noexcept {
        return timeout > grace && deadline != never && deadline > now_ + timeout - grace;
    }

    const Reach reach_;
    const http::Timeouts& timeouts_;
    const Instant now_;
    std::vector<Candidate> idle_;
    std::vector<Candidate> unfinished_;
};

/// Has a loop give up connections when room is short. Descriptors for files come first, and cost
/// idle connections alone. Connections that wait to be accepted cost those that rest; where these
/// are too few also in other loops, unfinished ones a moment later.
class GivingWay {
   public:
    GivingWay(RoomRequests& requests, const http::Timeouts& timeouts) noexcept
        : requests_{requests}, timeouts_{timeouts} {}
    /// `loop` is woken when another one asks.
    void join(const std::shared_ptr<http::Postbox>& loop) {
        self_ = loop.get();
        requests_.join(loop);
    }

    /// In each turn: there is something to do. `waiting`: connections that the acceptor has no room
    /// for.
    bool is_due(std::size_t waiting) const noexcept {
        return waiting != 0 || requests_.number() != seen_ || net::descriptors().is_short();
    }
    /// Without memory to look at all connections, none gives way.
    void make_room(std::size_t waiting, Instant now, Crowd& crowd) noexcept;
    void make_room_for_files(Instant now, Crowd& crowd) noexcept;

   private:
    void make_room_for_others(Instant now, Crowd& crowd);
    void make_room_for_newcomers(std::size_t waiting, Instant now, Crowd& crowd);
    std::size_t give_up(RoomRequests::Request wanted, Instant now, Crowd& crowd) const noexcept;
    void ask(std::size_t count, Reach reach);

    RoomRequests& requests_;
    const http::Timeouts& timeouts_;
    const http::Postbox* self_ = nullptr;
    std::uint32_t seen_ = requests_.number();
    Instant look_for_files_at_{};
    Instant in_vain_until_{};  // there were too few that rest
};

}  // namespace weir::engines
