#include "engines/mailbox.h"

#include <utility>

namespace weir::engines {

void Mailbox::answer(std::uint64_t ticket, http::Response&& response) {
    put({ticket, std::move(response)});
}

void Mailbox::wake(std::uint64_t ticket) { put({ticket, std::nullopt}); }

void Mailbox::put(Letter&& letter) {
    const std::scoped_lock lock{mutex_};
    if (closed_) return;
    letters_.push_back(std::move(letter));
    if (letters_.size() == 1) bell_.ring();  // of more, the owner has been told already
}

std::vector<Mailbox::Letter> Mailbox::collect() {
    const std::scoped_lock lock{mutex_};
    bell_.answer();
    return std::exchange(letters_, {});
}

void Mailbox::close() {
    std::vector<Letter> unread;  // destroyed without the lock: a response may own anything
    const std::scoped_lock lock{mutex_};
    closed_ = true;
    unread.swap(letters_);
}

}  // namespace weir::engines
