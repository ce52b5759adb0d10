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

/// If there is no memory, the caller can't do anything about it. It must not wait for the loop
/// either, because it may run on the loop's thread. The completion is dropped, and the request's
/// deadline ends the connection.
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
