#include "server/metrics/recorder.h"

#include <algorithm>
#include <utility>

#include "base/of_thread.h"

namespace weir::server {
namespace {

// For a slot with one writer.
constexpr auto alone = [](Counter& counter, std::uint64_t more) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
};
// For the slot that all share.
constexpr auto among_others = [](Counter& counter, std::uint64_t more) noexcept {
    counter.fetch_add(more, std::memory_order_relaxed);
};

/// Calls `count(counts, add)` for the slot of this thread.
template <typename Count>
void count_in(const std::shared_ptr<SlotTable>& table, Count count) noexcept {
    OwnSlot* const own = OfThread<OwnSlot>::get();
    if (own && own->is_alone_in(*table)) [[likely]]
        return count(own->counts(), alone);
    if (!own) return count(table->counts(SlotTable::slots), among_others);
    if (!own->is_of(*table)) own->take(table);
    if (own->is_alone_in(*table)) return count(own->counts(), alone);
    count(own->counts(), among_others);
}

template <std::size_t count>
void add_to(Histogram<count>& histogram, const Bounds<count>& bounds, std::uint64_t value,
            auto add) noexcept {
    add(histogram.buckets[bucket_of(value, bounds)], 1);
    add(histogram.sum, value);
}

/// The index in protocol_names.
std::size_t protocol_of(const http::Request* request) noexcept {
    enum : std::size_t { http_1_0, http_1_1, h2, unknown };
    if (!request) return unknown;
    if (request->major_version() == 2) return h2;
    return request->minor_version() == 0 ? http_1_0 : http_1_1;
}

/// The index in status_classes.
std::size_t class_of(http::Status status) noexcept {
    const auto first_digit = std::to_underlying(status) / 100u;
    return std::clamp<std::size_t>(first_digit, 1, status_classes.size()) - 1;
}

std::uint64_t milliseconds_between(Instant began, Instant now) noexcept {
    return now > began ? static_cast<std::uint64_t>((now - began).count()) : 0;
}

std::size_t index_of(std::string_view protocol) noexcept {
    if (protocol.empty()) return 1;  // HTTP/1.1 is what is spoken then
    const auto* const found = std::ranges::find(protocol_names, protocol);
    return std::min<std::size_t>(found - protocol_names.begin(), protocol_names.size() - 1);
}

}  // namespace

void Recorder::answered(const http::Answered& answered) noexcept {
    if (next_) next_->answered(answered);
    count_in(table_, [&answered](Counts& counts, auto add) noexcept {
        Answers& answers = counts.answers[protocol_of(answered.request)][class_of(answered.status)];
        add_to(answers.duration, duration_bounds,
               milliseconds_between(answered.began, answered.now.instant), add);
        add_to(answers.size, size_bounds, answered.content_bytes, add);
        add(counts.outcomes[std::to_underlying(answered.outcome)], 1);
    });
}

void Recorder::turn_began(Instant now) noexcept {
    count_in(table_, [now](Counts& counts, auto) noexcept {
        counts.turn_began.store(now, std::memory_order_relaxed);
    });
}

void Recorder::turn_ended(Instant now) noexcept {
    count_in(table_, [now](Counts& counts, auto add) noexcept {
        const Instant began = counts.turn_began.load(std::memory_order_relaxed);
        if (began == Instant{}) return;
        counts.turn_began.store(Instant{}, std::memory_order_relaxed);
        add_to(counts.turns, turn_bounds, milliseconds_between(began, now), add);
    });
}

void Recorder::accepted(std::uint8_t entrance) noexcept {
    count_in(table_, [entrance](Counts& counts, auto add) noexcept {
        add(counts.accepted[entrance % entrance_names.size()], 1);
    });
}

void Recorder::handshake(std::string_view protocol) noexcept {
    count_in(table_, [protocol](Counts& counts, auto add) noexcept {
        add(counts.handshakes[index_of(protocol)], 1);
    });
}

void Recorder::handler_began() noexcept {
    count_in(table_, [](Counts& counts, auto add) noexcept { add(counts.handlers_begun, 1); });
}

void Recorder::handler_ended() noexcept {
    count_in(table_, [](Counts& counts, auto add) noexcept { add(counts.handlers_ended, 1); });
}

void Recorder::forked() noexcept {
    if (OwnSlot* const own = OfThread<OwnSlot>::get()) own->forget();
}

void Recorder::thread_ends() noexcept {
    if (OwnSlot* const own = OfThread<OwnSlot>::get()) own->give_back();
}

}  // namespace weir::server
