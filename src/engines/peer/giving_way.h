#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engines/peer/room_requests.h"
#include "net/descriptors.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"

namespace weir::engines {

class Candidates;

/// The connections of a loop, as GivingWay sees them. It stands on the stack of its caller: it is
/// needed when memory may be short. So neither call may need any.
class Crowd {
   public:
    virtual void add_all(Candidates& candidates) noexcept = 0;
    /// The connection ends, at once or in a moment (Standing::leaving). False where bytes have arrived
    /// by now, or the connection has gone.
    virtual bool give_up(std::uint64_t number) noexcept = 0;

   protected:
    Crowd() = default;
    ~Crowd() = default;
    Crowd(const Crowd&) = default;
    Crowd& operator=(const Crowd&) = default;
};

/// The connections of a loop that could be given up, in the order in which they go: those that are
/// idle, the one that is idle for longest first; then those that are unfinished, the newest first. It
/// knows the first `most` of them, in a heap of its own: it takes no memory.
class Candidates {
   public:
    /// A connection that was used a moment ago will probably be used again. And a new one must have
    /// had the time to send its request.
    static constexpr std::chrono::milliseconds grace{250};
    /// More than are wanted in a turn, for bytes may have arrived for some.
    static constexpr std::size_t most = 256;

    Candidates(Reach reach, const http::Timeouts& timeouts, Instant now) noexcept
        : reach_{reach}, timeouts_{timeouts}, now_{now} {}

    void add(std::uint64_t number, const http::Connection& connection) noexcept;
    /// Calls `crowd.give_up(number)` until `count` calls have returned true, or connections have been
    /// leaving already. Returns how many that is.
    std::size_t give_up(std::size_t count, Crowd& crowd) noexcept;

   private:
    struct Candidate {
        bool is_idle;
        Instant deadline;
        std::uint64_t number;
    };

    static bool goes_before(const Candidate& one, const Candidate& other) noexcept {
        if (one.is_idle != other.is_idle) return one.is_idle;
        return one.is_idle ? one.deadline < other.deadline : one.deadline > other.deadline;
    }
    // All connections have the same timeouts. So the order of deadlines is the order of beginnings.
    bool is_younger(Instant deadline, std::chrono::milliseconds timeout) const noexcept {
        return timeout > grace && deadline != never && deadline > now_ + timeout - grace;
    }
    void add(const Candidate& candidate) noexcept;

    const Reach reach_;
    const http::Timeouts& timeouts_;
    const Instant now_;
    std::array<Candidate, most> heap_{};  // on top the one that goes last
    std::size_t size_ = 0;
    std::size_t leaving_ = 0;
};

/// Has a loop give up connections when room is short. Descriptors for files come first, and cost
/// idle connections alone. Connections that wait to be accepted cost those that rest; where these
/// are too few also in other loops, unfinished ones a moment later. Needs no memory.
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
    void make_room(std::size_t waiting, Instant now, Crowd& crowd) noexcept;
    void make_room_for_files(Instant now, Crowd& crowd) noexcept;

   private:
    void make_room_for_others(Instant now, Crowd& crowd) noexcept;
    void make_room_for_newcomers(std::size_t waiting, Instant now, Crowd& crowd) noexcept;
    std::size_t give_up(RoomRequests::Request wanted, Instant now, Crowd& crowd) const noexcept;
    void ask(std::size_t count, Reach reach) noexcept;

    RoomRequests& requests_;
    const http::Timeouts& timeouts_;
    const http::Postbox* self_ = nullptr;
    std::uint32_t seen_ = requests_.number();
    Instant look_for_files_at_{};
    Instant in_vain_until_{};  // there were too few that rest
};

}  // namespace weir::engines
