#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/web/waiters.h"

namespace weir::web {

namespace detail {

template <typename Value>
class ChannelReceive;
template <typename Value>
class ChannelSend;

/// Values on their way. The caller of a member has the lock.
template <typename Value>
class ChannelState {
   public:
    explicit ChannelState(std::size_t capacity) : ring_(capacity) {
        if (capacity == 0) throw std::invalid_argument{"a channel has room for one value at least"};
    }

    std::mutex mutex;
    Waiters receivers{};
    Waiters senders{};
    bool is_closed = false;

    bool is_full() const noexcept { return count_ == ring_.size(); }
    /// True if a value is there for one that does not wait yet.
    bool has_free() const noexcept { return count_ > promised_; }

    void put(Value&& value) noexcept {
        ring_[(first_ + count_) % ring_.size()].emplace(std::move(value));
        ++count_;
        promise();
    }
    /// A value, of those that are there for the caller.
    Value take() noexcept {
        std::optional<Value>& place = ring_[first_];
        Value value = std::move(*place);
        place.reset();
        first_ = (first_ + 1) % ring_.size();
        --count_;
        if (Waiter* const sender = senders.first()) {
            put(static_cast<ChannelSend<Value>*>(sender)->give());
            senders.wake_first();
        }
        return value;
    }
    /// Wakes the receiver that waits for longest, if there is a value for it.
    void promise() noexcept {
        if (!has_free() || receivers.is_empty()) return;
        ++promised_;
        static_cast<ChannelReceive<Value>*>(receivers.first())->note_promise();
        receivers.wake_first();
    }
    /// Called by a receiver that was woken: it takes the value, or leaves it to another one.
    void end_promise() noexcept { --promised_; }
    void close() noexcept {
        is_closed = true;
        receivers.wake_all();
        senders.wake_all();
    }

   private:
    std::vector<std::optional<Value>> ring_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t promised_ = 0;  // values for receivers that were woken
};

template <typename Value>
class [[nodiscard("receive() does nothing without co_await")]] ChannelReceive final
    : public Waiter {
   public:
    explicit ChannelReceive(std::shared_ptr<ChannelState<Value>> state) noexcept
        : state_{std::move(state)} {}
    ~ChannelReceive() { end(); }

    bool begin(Runner& of) {
        const std::scoped_lock lock{state_->mutex};
        if (state_->has_free())
            value_.emplace(state_->take());
        else if (!state_->is_closed)
            state_->receivers.add(*this, of.waker());
        return waits_ = !value_ && !state_->is_closed;
    }
    std::optional<Value> await_resume() noexcept {
        if (!std::exchange(waits_, false)) return std::move(value_);
        const std::scoped_lock lock{state_->mutex};
        if (!is_promised_) return std::nullopt;
        state_->end_promise();
        return state_->take();
    }
    bool end() noexcept override {
        if (!std::exchange(waits_, false)) return true;
        const std::scoped_lock lock{state_->mutex};
        if (state_->receivers.remove(*this) || !is_promised_) return true;
        state_->end_promise();
        state_->promise();
        return true;
    }
    void note_promise() noexcept { is_promised_ = true; }

   private:
    std::shared_ptr<ChannelState<Value>> state_;
    std::optional<Value> value_{};  // if there was one at once
    bool waits_ = false;            // until the result was taken
    bool is_promised_ = false;      // guarded by the mutex
};

template <typename Value>
class [[nodiscard("send() does nothing without co_await")]] ChannelSend final : public Waiter {
   public:
    ChannelSend(std::shared_ptr<ChannelState<Value>> state, Value&& value) noexcept
        : state_{std::move(state)}, value_{std::move(value)} {}
    ~ChannelSend() { end(); }

    bool begin(Runner& of) {
        const std::scoped_lock lock{state_->mutex};
        if (state_->is_closed) return false;
        if (state_->is_full()) {
            state_->senders.add(*this, of.waker());
            return waits_ = true;
        }
        state_->put(give());
        return false;
    }
    bool await_resume() const noexcept { return is_sent_; }
    bool end() noexcept override {
        if (!std::exchange(waits_, false)) return true;
        const std::scoped_lock lock{state_->mutex};
        state_->senders.remove(*this);
        return true;
    }
    /// The channel has room for the value.
    Value&& give() noexcept {
        is_sent_ = true;
        return std::move(value_);
    }

   private:
    std::shared_ptr<ChannelState<Value>> state_;
    Value value_;
    bool waits_ = false;
    bool is_sent_ = false;
};

}  // namespace detail

/// A queue of values between coroutines of any connections, and other threads. Copies are the same
/// channel. Any thread may call all members. Each value reaches one receiver. A Value is movable,
/// and its move does not throw.
template <typename Value>
class Channel {
    static_assert(std::is_nothrow_move_constructible_v<Value>,
                  "a channel moves its values, which must not throw");

   public:
    /// `capacity`: the values that wait for receivers, at least 1; else std::invalid_argument.
    explicit Channel(std::size_t capacity)
        : state_{std::make_shared<detail::ChannelState<Value>>(capacity)} {}

    /// `co_await channel.send(value)`: waits for room. False if the channel is closed.
    template <typename Given>
    detail::ChannelSend<Value> send(Given&& value) const {
        static_assert(!(std::is_aggregate_v<Given> && detail::is_destroyed_twice<Given>),
                      "GCC before 13 destroys this temporary twice: give the value a name first");
        return {state_, Value(std::forward<Given>(value))};
    }
    /// The same without waiting. False also if there is no room.
    bool try_send(Value value) const {
        const std::scoped_lock lock{state_->mutex};
        if (state_->is_closed || state_->is_full()) return false;
        state_->put(std::move(value));
        return true;
    }
    /// `co_await channel.receive()`: the next value; nothing once the channel is closed and empty.
    /// Those that wait get values in the order of their waits.
    detail::ChannelReceive<Value> receive() const noexcept {
        return detail::ChannelReceive<Value>{state_};
    }
    /// The same without waiting: nothing also if there is no value.
    std::optional<Value> try_receive() const {
        const std::scoped_lock lock{state_->mutex};
        return state_->has_free() ? std::optional<Value>{state_->take()} : std::nullopt;
    }
    /// Values that were sent before can still be received.
    void close() const noexcept {
        const std::scoped_lock lock{state_->mutex};
        state_->close();
    }

   private:
    std::shared_ptr<detail::ChannelState<Value>> state_;
};

}  // namespace weir::web
