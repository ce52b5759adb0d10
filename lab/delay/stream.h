#pragma once

#include <cstddef>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include "options.h"

namespace lab {

/// What came on time and what came late, over all connections.
struct Statistics {
    std::size_t connections = 0;
    std::size_t chunks = 0;   ///< passed on
    std::size_t late = 0;     ///< of them, by more than a part of their delay
    std::size_t delayed = 0;  ///< by a loss
    Nanoseconds lateness_max{};
};

/// One direction of a connection: keeps what it reads until it is due, and then writes it. The
/// descriptors belong to the connection. Edge-triggered: tell it what the kernel says.
class Stream {
   public:
    Stream(int from, int to, const Clients& clients, Nanoseconds open_at)
        : from_{from}, to_{to}, clients_{clients}, free_at_{open_at} {}

    /// The kernel says it again after the end, with each event of the other direction.
    void is_readable() { readable_ = !read_to_the_end_; }
    void is_writable() { writable_ = true; }

    /// Reads what there is and writes what is due. False: the connection is broken.
    bool move(Nanoseconds now, std::minstd_rand& random, Statistics& statistics);

    /// The other side has been told that nothing more comes.
    bool has_ended() const { return ended_; }
    /// Something is kept that could be written then.
    bool waits() const { return writable_ && !kept_.empty(); }
    Nanoseconds due() const { return kept_.front().due; }

    bool is_scheduled = false;  ///< for the owner's use

   private:
    struct Chunk {
        Nanoseconds due;
        std::vector<char> bytes;  ///< empty: the end
        std::size_t written = 0;
    };

    bool read(Nanoseconds now, std::minstd_rand& random, Statistics& statistics);
    bool write(Nanoseconds now, Statistics& statistics);
    bool write_front(Statistics& statistics);
    void keep(std::span<const char> bytes, Nanoseconds now, std::minstd_rand& random,
              Statistics& statistics);

    int from_, to_;
    const Clients& clients_;
    Nanoseconds free_at_;  ///< when the line has sent what came before
    Nanoseconds last_due_{};
    std::deque<Chunk> kept_;
    std::size_t kept_bytes_ = 0;
    bool readable_ = false, writable_ = false, read_to_the_end_ = false, ended_ = false;
};

}  // namespace lab
