#include "weir/client/client_upload.h"

#include <stdexcept>
#include <utility>

#include "client/received.h"
#include "client/sending.h"

namespace weir::web {
namespace detail {
namespace {

/// Owns the request until its response is there. Another coroutine may still be in write().
Task<ClientResponse> end_and_wait(std::shared_ptr<Sending> sending) {
    if (sending->left.value_or(0) != 0 && !sending->asking->look().has_head)
        throw std::length_error{"the content of an upload is shorter than it was said to be"};
    sending->asking->exchange().end_content();
    co_await HeadWait{*sending->asking};
    co_return ClientResponse{std::make_unique<Received>(std::move(sending->asking),
                                                        sending->bytes_max, sending->decoding)};
}

}  // namespace

bool WriteSending::begin(Runner& runner) {
    if (sending_ == nullptr || sending_->has_ended)
        throw std::logic_error{"the content of an upload ends with response()"};
    if (sending_->left && bytes_.size() > *sending_->left)
        throw std::length_error{"the content of an upload is longer than it was said to be"};
    if (sending_->left) *sending_->left -= bytes_.size();
    sending_->asking->exchange().put(bytes_);
    return !is_ready(runner.now());
}

bool WriteSending::is_ready(Instant /*now*/) noexcept {
    if (!sending_->asking) return true;
    const auto seen = sending_->asking->look();
    return seen.takes_content || seen.has_head || seen.failure != upstream::Failure::none;
}

Instant WriteSending::due() const noexcept {
    return sending_->asking ? sending_->asking->waits_until() : never;
}

bool WriteSending::await_resume() const {
    if (!sending_->asking) return false;
    const auto seen = sending_->asking->look();
    if (seen.failure != upstream::Failure::none && !seen.has_head)
        throw sending_->asking->error(seen.failure);
    return !seen.has_head;
}

}  // namespace detail

ClientUpload::ClientUpload(std::unique_ptr<detail::Sending> sending)
    : sending_{std::move(sending)} {}
ClientUpload::ClientUpload(ClientUpload&& other) noexcept = default;
ClientUpload& ClientUpload::operator=(ClientUpload&& other) noexcept = default;
ClientUpload::~ClientUpload() = default;

Task<ClientResponse> ClientUpload::response() {
    if (!sending_ || std::exchange(sending_->has_ended, true))
        throw std::logic_error{"an upload has one response"};
    return detail::end_and_wait(sending_);
}

}  // namespace weir::web
