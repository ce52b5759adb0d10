#include "http/request_slot.h"

#include <utility>

namespace weir::http {

namespace {
// A slot keeps content buffers up to this size for the next request with content.
constexpr std::size_t kept_content_bytes_max = 64 * 1024;
}  // namespace

RequestSlot::RequestSlot() : request_{std::make_shared<Request>(Request::Key{})} {}

void RequestSlot::content_complete(std::string trailers) {
    request_->content_pending_ = false;
    request_->trailers_ = std::move(trailers);
}

std::size_t RequestSlot::bytes() const noexcept {
    const Request& request = *request_;
    return sizeof *this + sizeof request + request.index_.fields.capacity() * sizeof(FieldLine) +
           request.own_head_.capacity() + request.content_.capacity() +
           request.trailers_.capacity();
}

/// Called after a request that is shared, that was rewritten, or that had content.
void RequestSlot::renew() {
    framing = {};
    if ((request_->traces_ & Request::is_shared) != 0) {
        request_ = std::make_shared<Request>(Request::Key{});
        return;
    }
    Request& request = *request_;
    request.index_.clear();
    request.base_ = nullptr;
    request.content_length_.reset();
    request.content_.clear();
    if (request.content_.capacity() > kept_content_bytes_max) request.content_ = {};
    request.trailers_.clear();
    request.attachment_.reset();
    request.traces_ = 0;
}

}  // namespace weir::http
