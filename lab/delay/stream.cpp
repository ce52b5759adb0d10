#include "stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

namespace lab {
namespace {

using namespace std::chrono_literals;

// As much as a socket's window holds: who does not read stops the other side from writing.
constexpr std::size_t kept_bytes_max = 256 * 1024;
constexpr std::size_t read_bytes_max = 64 * 1024;
constexpr double segment_bytes = 1448;  // of TCP's data in 1,500 octets
// A loss is noticed after two round trips, and 200 ms for the acknowledgement that may be late
// (RFC 8985, 7.2). Everything behind it waits.
constexpr Nanoseconds probe_timeout = 200ms;
// Late is what the clients could notice.
constexpr Nanoseconds lateness_allowed = 1ms;
constexpr int lateness_part = 10;  // of the delay

bool is_lost(std::size_t bytes, double loss, std::minstd_rand& random) {
    if (loss == 0) return false;
    const double segments = std::ceil(static_cast<double>(bytes) / segment_bytes);
    return std::bernoulli_distribution{1 - std::pow(1 - loss, segments)}(random);
}

}  // namespace

bool Stream::move(Nanoseconds now, std::minstd_rand& random, Statistics& statistics) {
    return write(now, statistics) && read(now, random, statistics) && write(now, statistics);
}

bool Stream::read(Nanoseconds now, std::minstd_rand& random, Statistics& statistics) {
    static thread_local std::array<char, read_bytes_max> buffer;
    while (readable_ && kept_bytes_ < kept_bytes_max) {
        const ssize_t count = ::recv(from_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN) return false;
        if (count <= 0) readable_ = false;
        if (count == 0) read_to_the_end_ = true;
        if (count >= 0)
            keep(std::span{buffer}.first(static_cast<std::size_t>(count)), now, random, statistics);
    }
    return true;
}

void Stream::keep(std::span<const char> bytes, Nanoseconds now, std::minstd_rand& random,
                  Statistics& statistics) {
    free_at_ = std::max(free_at_, now);
    if (clients_.bytes_per_second > 0)
        free_at_ += Nanoseconds{static_cast<std::int64_t>(static_cast<double>(bytes.size()) * 1e9 /
                                                          clients_.bytes_per_second)};
    Nanoseconds due = free_at_ + clients_.round_trip / 2;
    if (is_lost(bytes.size(), clients_.loss, random)) {
        due += 2 * clients_.round_trip + probe_timeout;
        ++statistics.delayed;
    }
    last_due_ = std::max(last_due_, due);
    kept_.push_back({last_due_, {bytes.begin(), bytes.end()}});
    kept_bytes_ += bytes.size();
}

bool Stream::write(Nanoseconds now, Statistics& statistics) {
    while (waits() && due() <= now) {
        const Nanoseconds lateness = now - due();
        const bool is_first = kept_.front().written == 0;
        if (!write_front(statistics)) return false;
        if (!is_first) continue;  // it waited for the receiver, not for the proxy
        statistics.lateness_max = std::max(statistics.lateness_max, lateness);
        statistics.late +=
            lateness >
            std::max<Nanoseconds>(lateness_allowed, clients_.round_trip / 2 / lateness_part);
    }
    return true;
}

bool Stream::write_front(Statistics& statistics) {
    Chunk& chunk = kept_.front();
    if (chunk.bytes.empty()) {
        ended_ = true;
        kept_.pop_front();
        return ::shutdown(to_, SHUT_WR) == 0;
    }
    const std::span rest = std::span{chunk.bytes}.subspan(chunk.written);
    const ssize_t count = ::send(to_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0) {
        writable_ = false;
        return errno == EAGAIN;
    }
    chunk.written += static_cast<std::size_t>(count);
    if (chunk.written < chunk.bytes.size()) return true;
    ++statistics.chunks;
    kept_bytes_ -= chunk.bytes.size();
    kept_.pop_front();
    return true;
}

}  // namespace lab
