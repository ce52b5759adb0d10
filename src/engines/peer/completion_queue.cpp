#include "engines/peer/completion_queue.h"

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "base/troubles.h"
#include "net/clock.h"

namespace weir::engines {

constinit thread_local const CompletionQueue* CompletionQueue::entered = nullptr;

void CompletionQueue::answer(http::Ticket ticket, http::Response&& response) {
    put({ticket, std::move(response)});
}

void CompletionQueue::wake(http::Ticket ticket) { put({ticket, std::nullopt}); }

void CompletionQueue::adopt(std::unique_ptr<http::Outbound> outbound) {
    put(Completion{std::move(outbound)});
}

Instant CompletionQueue::now() const noexcept { return net::read_instant(); }

/// If there is no memory, the caller can't do anything about it. It must not wait for the loop
/// either, because it may run on the loop's thread. The completion is dropped, and the request's
/// deadline ends the connection.
void CompletionQueue::put(Completion&& completion) {
    auto outcome = http::Outcome::stopped;
    const bool is_own = entered == this;
    try {
        if (items_.put(std::move(completion), !is_own)) {
            if (is_own) has_own_ = true;
            return;
        }
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        outcome = http::Outcome::out_of_memory;
    }
    completion.drop(outcome);  // NOLINT(bugprone-use-after-move): untouched
}

void CompletionQueue::close() {
    leave();
    items_.close();
    // Dropped without the lock: a response may own anything.
    for (Completion& completion : items_.collect()) completion.drop(http::Outcome::stopped);
}

}  // namespace weir::engines
