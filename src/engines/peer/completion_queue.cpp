#include "engines/peer/completion_queue.h"

#include <utility>

namespace weir::engines {

void CompletionQueue::answer(http::Ticket ticket, http::Response&& response) {
    items_.put({ticket, std::move(response)});
}

void CompletionQueue::wake(http::Ticket ticket) { items_.put({ticket, std::nullopt}); }

void CompletionQueue::close() {
    items_.close();
    items_.collect();  // destroyed without the lock: a response may own anything
}

}  // namespace weir::engines
