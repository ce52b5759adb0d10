#include "server/loop_watch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "net/clock.h"
#include "weir/http/response.h"

namespace weir::server {

/// The loop destroys it when it turns.
struct LoopWatch::Question {
    explicit Question(std::shared_ptr<Histogram> counts) noexcept : delays{std::move(counts)} {}
    ~Question() {
        if (delays)
            delays->count_among_others(
                std::chrono::duration_cast<std::chrono::microseconds>(net::read_instant() - asked));
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    const std::shared_ptr<Histogram> delays;
    const Instant asked = delays ? net::read_instant() : Instant{};
};

void LoopWatch::add(std::weak_ptr<http::Postbox> loop) {
    const std::scoped_lock lock{mutex_};
    loops_.push_back({.postbox = std::move(loop)});
}

bool LoopWatch::ask() noexcept try {
    const std::scoped_lock lock{mutex_};
    const bool all_answered =
        std::ranges::all_of(loops_, [](const Loop& each) { return each.question.expired(); });
    for (Loop& each : loops_)
        if (each.question.expired()) ask(each);
    return all_answered;
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return true;
}

void LoopWatch::ask(Loop& loop) {
    constexpr http::Ticket nobody{.connection = ~std::uint64_t{0}, .request = 0};
    const auto postbox = loop.postbox.lock();
    if (!postbox) return;
    const auto question = std::make_shared<const Question>(delays_);
    http::Response response;
    response.retain(question);
    loop.question = question;
    postbox->answer(nobody, std::move(response));
}

}  // namespace weir::server
