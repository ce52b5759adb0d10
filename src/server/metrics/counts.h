#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/base/instant.h"

namespace weir::server {

/// A number that one thread writes and others read: no instruction of it locks.
using Counter = std::atomic<std::uint64_t>;

/// Bounds of a histogram, in rising order. A value belongs to the first bucket whose bound it does
/// not exceed; the last bucket has no bound.
template <std::size_t count>
using Bounds = std::array<std::uint64_t, count>;

/// In milliseconds. The server's clock has ticks of 1 to 10 ms, so there is nothing to tell apart
/// below.
inline constexpr Bounds<14> duration_bounds{1,   5,     10,    25,    50,     100,    250,
                                            500, 1'000, 2'500, 5'000, 10'000, 30'000, 60'000};
/// In bytes.
inline constexpr Bounds<10> size_bounds{1u << 10u, 4u << 10u, 16u << 10u, 64u << 10u, 256u << 10u,
                                        1u << 20u, 4u << 20u, 16u << 20u, 64u << 20u, 256u << 20u};
/// In milliseconds.
inline constexpr Bounds<9> turn_bounds{1, 5, 10, 25, 50, 100, 250, 1'000, 10'000};

template <std::size_t count>
constexpr std::size_t bucket_of(std::uint64_t value, const Bounds<count>& bounds) noexcept {
    std::size_t bucket = 0;
    while (bucket < count && value > bounds[bucket]) ++bucket;
    return bucket;
}

template <std::size_t bounds>
struct Histogram {
    std::array<Counter, bounds + 1> buckets{};
    Counter sum{0};
};

/// The protocol of an answer. `unknown`: the request could not be read.
inline constexpr std::array<std::string_view, 4> protocol_names{"http/1.0", "http/1.1", "h2",
                                                                "unknown"};
/// By the first digit of the status.
inline constexpr std::array<std::string_view, 5> status_classes{"1xx", "2xx", "3xx", "4xx", "5xx"};
/// By http::Outcome.
inline constexpr std::array<std::string_view, 6> outcome_names{
    "sent", "peer_gone", "timed_out", "source_failed", "stopped", "out_of_memory"};
/// By Entrance.
inline constexpr std::array<std::string_view, 2> entrance_names{"plain", "tls"};

/// What became of requests, by protocol and class of status.
struct Answers {
    Histogram<duration_bounds.size()> duration;  // sum in milliseconds
    Histogram<size_bounds.size()> size;          // of the content that was sent; sum in bytes
};

/// What one thread counts. All of it is zero at the beginning.
struct alignas(64) Counts {
    std::array<std::array<Answers, status_classes.size()>, protocol_names.size()> answers{};
    std::array<Counter, outcome_names.size()> outcomes{};
    std::array<Counter, entrance_names.size()> accepted{};    // connections
    std::array<Counter, protocol_names.size()> handshakes{};  // of TLS, that were finished
    Counter handlers_begun{0};
    Counter handlers_ended{0};
    Histogram<turn_bounds.size()> turns;  // of its loop; sum in milliseconds
    std::atomic<Instant> turn_began{};    // Instant{}: it waits, or it is no loop
};

}  // namespace weir::server
