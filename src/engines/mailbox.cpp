#include "engines/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace weir::engines {

Mailbox::Mailbox() : eventfd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    if (!eventfd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

void Mailbox::answer(std::uint64_t ticket, http::Response&& response) {
    put({ticket, std::move(response)});
}

void Mailbox::wake(std::uint64_t ticket) { put({ticket, std::nullopt}); }

void Mailbox::put(Letter&& letter) {
    const std::scoped_lock lock{mutex_};
    if (closed_) return;
    letters_.push_back(std::move(letter));
    if (letters_.size() > 1) return;  // the owner has been woken, and has not looked yet
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(eventfd_.get(), &one, sizeof one);
}

std::vector<Mailbox::Letter> Mailbox::collect() {
    const std::scoped_lock lock{mutex_};
    std::uint64_t count;
    [[maybe_unused]] const auto size = ::read(eventfd_.get(), &count, sizeof count);
    return std::exchange(letters_, {});
}

void Mailbox::close() {
    std::vector<Letter> unread;  // destroyed without the lock: a response may own anything
    const std::scoped_lock lock{mutex_};
    closed_ = true;
    unread.swap(letters_);
}

}  // namespace weir::engines
