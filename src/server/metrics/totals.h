#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "server/metrics/slot_table.h"
#include "weir/base/instant.h"

namespace weir::server {

/// A histogram as it was when it was read.
template <std::size_t count>
struct HistogramTotal {
    std::array<std::uint64_t, count + 1> buckets{};
    std::uint64_t sum = 0;

    void add(const Histogram<count>& more) noexcept {
        for (std::size_t i = 0; i <= count; ++i) buckets[i] += more.buckets[i].load();
        sum += more.sum.load();
    }
    std::uint64_t values() const noexcept {
        std::uint64_t all = 0;
        for (const auto each : buckets) all += each;
        return all;
    }
};

/// The sums over all slots of a table, at one moment.
struct Totals {
    struct OfAnswers {
        HistogramTotal<duration_bounds.size()> duration;
        HistogramTotal<size_bounds.size()> size;
    };
    /// A loop, by the number of its slot.
    struct Loop {
        std::size_t number;
        HistogramTotal<turn_bounds.size()> turns;
        Instant turn_began;  // Instant{}: it waits
    };

    explicit Totals(SlotTable& table);

    std::array<std::array<OfAnswers, status_classes.size()>, protocol_names.size()> answers{};
    std::array<std::uint64_t, outcome_names.size()> outcomes{};
    std::array<std::uint64_t, entrance_names.size()> accepted{};
    std::array<std::uint64_t, protocol_names.size()> handshakes{};
    std::uint64_t handlers_begun = 0;
    std::uint64_t handlers_ended = 0;
    std::vector<Loop> loops;
    std::vector<int> processes;  // that have slots; each once

    std::uint64_t handlers_running() const noexcept {
        return handlers_begun > handlers_ended ? handlers_begun - handlers_ended : 0;
    }
    /// How long the turn of a loop has taken so far, if it is in one; the longest of all.
    std::chrono::milliseconds longest_turn(Instant now) const noexcept;

   private:
    void add(const Counts& counts, std::size_t slot);
};

}  // namespace weir::server
