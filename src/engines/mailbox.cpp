#include "engines/mailbox.h"

#include <utility>

namespace weir::engines {

void Mailbox::answer(std::uint64_t ticket, http::Response&& response) {
    letters_.put({ticket, std::move(response)});
}

void Mailbox::wake(std::uint64_t ticket) { letters_.put({ticket, std::nullopt}); }

void Mailbox::close() {
    letters_.close();
    letters_.collect();  // destroyed without the lock: a response may own anything
}

}  // namespace weir::engines
