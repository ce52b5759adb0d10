#include "engines/peer/completion_queue.h"

#include <new>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"
#include "net/clock.h"

namespace weir::engines {

void CompletionQueue::answer(http::Ticket ticket, http::Response&& response) {
    put({ticket, std::move(response)});
}

void CompletionQueue::wake(http::Ticket ticket) { put({ticket, std::nullopt}); }

Instant CompletionQueue::now() const noexcept { return net::read_clock().instant; }

/// Whoever answers can't do anything about it where there is no memory for that, and must not wait
/// for the loop, which it may be: the request's deadline ends its connection.
void CompletionQueue::put(Completion&& completion) {
    try {
        items_.put(std::move(completion));
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        // NOLINTNEXTLINE(bugprone-use-after-move): untouched
        if (completion.answer)
            http::drop(std::move(*completion.answer), http::Outcome::out_of_memory);
    }
}

void CompletionQueue::close() {
    items_.close();
    items_.collect();  // destroyed without the lock: a response may own anything
}

}  // namespace weir::engines
