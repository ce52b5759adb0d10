#include "server/loop_watch.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "weir/http/response.h"

namespace weir::server {

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
    const auto question = std::make_shared<const char>();
    http::Response response;
    response.retain(question);
    loop.question = question;
    postbox->answer(nobody, std::move(response));
}

}  // namespace weir::server
