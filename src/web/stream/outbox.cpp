#include "web/stream/outbox.h"

#include <new>
#include <utility>

namespace weir::web::detail {

bool Outbox::put(std::shared_ptr<const std::string> message, MessageKind kind) {
    Item item{.bytes = std::move(message),
              .form = kind == MessageKind::text ? Form::text : Form::binary};
    bool was_empty = false;
    {
        const std::scoped_lock lock{mutex_};
        if (is_closed_ || !has_room(item.size())) return false;
        was_empty = add(std::move(item));
    }
    if (was_empty) wake();
    return true;
}

void Outbox::ask_to_close(CloseCode code, std::string_view reason) {
    auto said = std::make_unique<const std::string>(reason);
    bool was_empty = false;
    {
        const std::scoped_lock lock{mutex_};
        was_empty = close_with(code, std::move(said));
    }
    if (was_empty) wake();
}

Outbox::Receipt Outbox::publish(std::shared_ptr<const std::string> bytes,
                                CloseCode when_full) noexcept {
    Item item{.bytes = std::move(bytes), .form = published_, .is_published = true};
    const std::scoped_lock lock{mutex_};
    if (is_closed_) return {};
    const bool can_drop = when_full == CloseCode::none && item.size() <= bytes_max_;
    while (can_drop && !has_room(item.size()) && drop_oldest_published()) {}
    try {
        if (!has_room(item.size())) return refuse(when_full);
        return {.is_queued = true, .must_wake = add(std::move(item))};
    } catch (const std::bad_alloc&) {
        return refuse(when_full);
    }
}

Outbox::Receipt Outbox::refuse(CloseCode when_full) noexcept {
    return {.must_wake = when_full != CloseCode::none && close_with(when_full, nullptr)};
}

/// Returns true if the queue was empty: one wake-up is enough for all items in it.
bool Outbox::add(Item&& item) {
    const bool was_empty = is_empty();
    const std::size_t size = item.size();
    if (was_empty) {
        first_ = std::move(item);
    } else if (behind_) {
        behind_->push_back(std::move(item));
    } else {
        auto behind = std::make_unique<std::deque<Item>>();
        behind->push_back(std::move(item));
        behind_ = std::move(behind);
    }
    bytes_ += size;
    return was_empty;
}

/// Returns true if the receiver has to be woken for it.
bool Outbox::close_with(CloseCode code, std::unique_ptr<const std::string> reason) noexcept {
    if (std::exchange(is_closed_, true)) return false;
    close_code_ = code;
    reason_ = std::move(reason);
    return is_empty();
}

std::optional<Outbox::Item> Outbox::take() {
    const std::scoped_lock lock{mutex_};
    if (!is_empty()) return take_first();
    if (close_code_ == CloseCode::none) return std::nullopt;
    return Item{.bytes = std::move(reason_), .code = std::exchange(close_code_, CloseCode::none)};
}

Outbox::Item Outbox::take_first() noexcept {
    Item item = std::exchange(first_, {});
    bytes_ -= item.size();
    if (!behind_) return item;
    first_ = std::move(behind_->front());
    behind_->pop_front();
    if (behind_->empty()) behind_.reset();
    return item;
}

/// False if there is none.
bool Outbox::drop_oldest_published() noexcept {
    if (first_.is_published) {
        take_first();
        return true;
    }
    if (!behind_) return false;
    const auto oldest = std::ranges::find(*behind_, true, &Item::is_published);
    if (oldest == behind_->end()) return false;
    bytes_ -= oldest->size();
    behind_->erase(oldest);
    if (behind_->empty()) behind_.reset();
    return true;
}

void Outbox::end() noexcept {
    const std::scoped_lock lock{mutex_};
    is_closed_ = true;
}

void Outbox::close() noexcept {
    Item first;  // both are destroyed without the lock
    std::unique_ptr<std::deque<Item>> behind;
    const std::scoped_lock lock{mutex_};
    is_closed_ = true;
    close_code_ = CloseCode::none;
    std::swap(first, first_);
    behind.swap(behind_);
    bytes_ = 0;
}

}  // namespace weir::web::detail
