// What the deadlines of a loop's connections cost it.

#include "engines/loop/deadlines.h"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

using namespace weir;
using weir::engines::Deadlines;

constexpr Instant start{std::chrono::hours{1}};

/// With each request a deadline moves to a later time: that must cost next to nothing.
void move_later(benchmark::State& state) {
    const auto connections = static_cast<std::uint32_t>(state.range(0));
    Deadlines deadlines;
    for (std::uint32_t slot = 0; slot < connections; ++slot) deadlines.promise(slot, start);
    std::uint32_t slot = 0;
    for (auto _ : state) {
        deadlines.promise(slot, start + std::chrono::seconds{5});
        if (++slot == connections) slot = 0;
    }
}
BENCHMARK(move_later)->Arg(100)->Arg(10'000);

/// A slot comes up, and is promised anew: once in a deadline's time for each connection.
void come_up(benchmark::State& state) {
    const auto connections = static_cast<std::uint32_t>(state.range(0));
    Deadlines deadlines;
    Instant now = start;
    for (std::uint32_t slot = 0; slot < connections; ++slot)
        deadlines.promise(slot, now + std::chrono::milliseconds{slot});
    for (auto _ : state) {
        now += std::chrono::milliseconds{1};
        while (const auto slot = deadlines.take_due(now))
            deadlines.promise(*slot, now + std::chrono::milliseconds{connections});
    }
}
BENCHMARK(come_up)->Arg(100)->Arg(10'000);

}  // namespace
