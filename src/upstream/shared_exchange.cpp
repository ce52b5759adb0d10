#include "upstream/shared_exchange.h"

#include <utility>

namespace weir::upstream {

void SharedExchange::wake_user() noexcept {
    if (std::exchange(user_knows_, false)) user_.wake();
}

void SharedExchange::wake_carrier() noexcept {
    if (carrier_ && std::exchange(carrier_knows_, false)) carrier_->wake();
}

SharedExchange::Seen SharedExchange::look() noexcept {
    const std::scoped_lock lock{mutex_};
    user_knows_ = true;
    return {.failure = failure_,
            .has_hints = hints_.has_value(),
            .has_head = has_head_,
            .has_bytes = !down_.is_empty(),
            .has_ended = down_ended_,
            .takes_content = !up_.is_full(),
            .was_sent = was_sent_,
            .has_begun = carrier_.has_value()};
}

void SharedExchange::put(std::string_view content) {
    const std::scoped_lock lock{mutex_};
    if (down_ended_) return;  // the connection sends no more
    up_.append(content);
    wake_carrier();
}

void SharedExchange::end_content() noexcept {
    const std::scoped_lock lock{mutex_};
    up_ended_ = true;
    wake_carrier();
}

void SharedExchange::restart() noexcept {
    const std::scoped_lock lock{mutex_};
    carrier_.reset();
    failure_ = Failure::none;
    was_sent_ = false;
    carrier_knows_ = true;
}

void SharedExchange::cancel() noexcept {
    const std::scoped_lock lock{mutex_};
    is_canceled_ = true;
    if (!down_ended_ || answer_.is_tunnel) wake_carrier();
}

std::size_t SharedExchange::read(std::span<char> into) noexcept {
    const std::scoped_lock lock{mutex_};
    const bool was_full = down_.is_full();
    const std::size_t count = down_.read(into);
    if (was_full && !down_.is_full()) wake_carrier();
    return count;
}

void SharedExchange::take(std::string& into) noexcept {
    into.clear();
    const std::scoped_lock lock{mutex_};
    const bool was_full = down_.is_full();
    down_.take(into);
    if (was_full) wake_carrier();
}

void SharedExchange::begin(http::Waker carrier) noexcept {
    const std::scoped_lock lock{mutex_};
    carrier_ = std::move(carrier);
}

http::client::Exchange::Wanted SharedExchange::wanted() noexcept {
    const std::scoped_lock lock{mutex_};
    carrier_knows_ = true;
    return {.is_canceled = is_canceled_,
            .takes_bytes = !down_.is_full(),
            .has_content = !up_.is_empty(),
            .content_ended = up_ended_};
}

void SharedExchange::take_content(std::string& into) noexcept {
    const std::scoped_lock lock{mutex_};
    const bool was_full = up_.is_full();
    up_.take(into);
    if (was_full) wake_user();
}

void SharedExchange::note_sent() noexcept {
    const std::scoped_lock lock{mutex_};
    was_sent_ = true;
}

void SharedExchange::hint(Answered&& head) {
    const std::scoped_lock lock{mutex_};
    hints_ = std::move(head);
    wake_user();
}

Answered SharedExchange::take_hints() {
    const std::scoped_lock lock{mutex_};
    return *std::exchange(hints_, std::nullopt);
}

void SharedExchange::answer(Answered&& head) {
    const std::scoped_lock lock{mutex_};
    answer_ = std::move(head);
    has_head_ = true;
    wake_user();
}

void SharedExchange::deliver(std::string_view bytes) {
    const std::scoped_lock lock{mutex_};
    down_.append(bytes);
    wake_user();
}

void SharedExchange::end(std::string trailers) noexcept {
    const std::scoped_lock lock{mutex_};
    trailers_ = std::move(trailers);
    down_ended_ = true;
    wake_user();
}

void SharedExchange::fail(Failure failure) noexcept {
    const std::scoped_lock lock{mutex_};
    if (down_ended_ || failure_ != Failure::none) return;
    failure_ = failure;
    wake_user();
}

}  // namespace weir::upstream
