#include "web/websocket/outbox.h"

#include <algorithm>
#include <utility>

namespace weir::web::detail {

bool Outbox::put(std::shared_ptr<const std::string> message, MessageKind kind) {
    return add({.message = std::move(message), .kind = kind}, false);
}

void Outbox::ask_to_close(CloseCode code, std::string_view reason) {
    auto said = std::make_shared<const std::string>(reason);
    add({.message = std::move(said), .code = code}, true);
}

/// Wakes the socket once for all items in the queue.
bool Outbox::add(Item&& item, bool is_last) {
    bool was_empty = false;
    {
        const std::scoped_lock lock{mutex_};
        const bool is_full = !is_last && item.bytes() > bytes_max_ - std::min(bytes_, bytes_max_);
        if (is_closed_ || is_full) return false;
        was_empty = items_.empty();
        bytes_ += item.bytes();
        items_.push_back(std::move(item));
        is_closed_ = is_last;
    }
    if (was_empty) waker_.wake();
    return true;
}

std::optional<Outbox::Item> Outbox::take() {
    const std::scoped_lock lock{mutex_};
    if (items_.empty()) return std::nullopt;
    Item item = std::move(items_.front());
    items_.pop_front();
    bytes_ -= item.bytes();
    return item;
}

void Outbox::close() noexcept {
    std::deque<Item> left;
    const std::scoped_lock lock{mutex_};
    is_closed_ = true;
    left.swap(items_);
    bytes_ = 0;
}

}  // namespace weir::web::detail
