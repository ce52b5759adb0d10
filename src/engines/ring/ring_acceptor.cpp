#include "engines/ring/ring_acceptor.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engines/ring/ring_operation.h"
#include "net/accept.h"
#include "net/blocking.h"

namespace weir::engines {
namespace {

// With less room than this, connections are accepted one by one.
constexpr std::uint32_t plenty = 256;

}  // namespace

void RingAcceptor::open() {
    for (const auto& listener : listeners_) net::set_blocking(listener.fd(), true);
}

void RingAcceptor::accepted(const net::Ring::Completion& completion, Now now) {
    const std::size_t index = index_of(completion.about);
    Asked& asked = asked_[index];
    if (operation_of(completion.about) == Operation::cancel_accept) {
        asked.canceling = false;
        return;
    }
    net::UniqueFd socket{std::max(completion.result, -1)};
    if (socket && !closed_) waiting_.push_back(std::move(socket));
    if (!completion.is_last()) return;
    asked.pending = false;
    const bool canceled = completion.result == -ECANCELED;
    const auto kind = net::kind_of_accept_error(-completion.result);
    if (kind == net::Accepted::Kind::exhausted) pause(now);
    if (closed_ || (canceled && asked.for_last) || kind == net::Accepted::Kind::failed)
        listeners_[index].close();
}

void RingAcceptor::ask(Now now, bool last) {
    hurries_ = false;
    if (closed_) return close();
    if (!waiting_.empty() || !limit_.has_room(1)) return pause(now);
    if (resume_at_ != never) return;
    for (std::size_t index = 0; index < listeners_.size(); ++index) ask_at(index, last);
}

void RingAcceptor::ask_at(std::size_t index, bool last) {
    Asked& asked = asked_[index];
    if (listeners_[index].fd() < 0) return;
    const bool many = !last && ring_.features().accept_many && limit_.has_room(plenty);
    if (asked.pending) {
        // What waits in a queue when its listener closes is reset by the kernel. So the last accept
        // is one that was tried when it was asked for: that it did not complete says that nobody
        // waits.
        if (last || (asked.for_many && !many)) cancel(index);
        return;
    }
    asked = {.pending = true, .for_many = many, .for_last = last, .canceling = asked.canceling};
    hurries_ = last;
    ring_.accept(listeners_[index].fd(), many, about(Operation::accept, index));
}

void RingAcceptor::cancel(std::size_t index) {
    if (asked_[index].canceling) return;
    asked_[index].canceling = true;
    ring_.cancel(about(Operation::accept, index), about(Operation::cancel_accept, index));
}

bool RingAcceptor::is_closed() const noexcept {
    return waiting_.empty() &&
           std::ranges::all_of(listeners_, [](const auto& each) { return each.fd() < 0; });
}

void RingAcceptor::close() {
    closed_ = true;
    waiting_.clear();
    for (std::size_t index = 0; index < listeners_.size(); ++index) {
        if (asked_[index].pending)
            cancel(index);
        else
            listeners_[index].close();
    }
}

}  // namespace weir::engines
