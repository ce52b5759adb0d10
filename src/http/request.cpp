#include "weir/http/request.h"

#include <new>

#include "http/client_origin.h"
#include "weir/http/handler.h"

namespace weir::http {

std::string_view Request::path() const noexcept {
    // RFC 9112 3.2.2 and RFC 9110 4.2.3: an absolute form without a path means "/".
    if (index_.path.size == 0 && index_.form == TargetForm::absolute) return "/";
    return index_.path.in(base_).substr(prefix_bytes_);
}

std::optional<std::string_view> Request::field(std::string_view name) const noexcept {
    for (const FieldLine& line : index_.fields)
        if (equals_ignoring_case(name_of(line), name)) return value_of(line);
    return std::nullopt;
}

void Request::own() const {
    if (base_ == nullptr || base_ == own_head_.data()) return;
    own_head_.assign(base_, index_.size);
    base_ = own_head_.data();
}

/// The value goes behind the head, in the request's own memory.
void Request::change(std::size_t index, std::string_view value) const {
    own();
    const auto begin = static_cast<std::uint32_t>(own_head_.size());
    own_head_.append(value);
    base_ = own_head_.data();
    index_.fields[index].value = {.begin = begin, .size = static_cast<std::uint32_t>(value.size())};
}

void Request::come_from(std::string address) const {
    auto client = std::make_shared<ClientOrigin>(*origin_, std::move(address));
    origin_ = client.get();
    kept_origin_ = std::move(client);
}

std::shared_ptr<const Request> Request::share() const {
    own();
    if (!shared_) {
        shared_ = true;
        kept_origin_ = origin_->keep();
    }
    return shared_from_this();
}

Ticket Request::ticket() const noexcept { return {origin_->number(), id_}; }

Deferred Request::defer() const { return {origin_->postbox(), ticket()}; }
Waker Request::waker() const { return {origin_->postbox(), ticket()}; }

Deferred::~Deferred() {
    if (postbox_ == nullptr) return;
    try {
        postbox_->answer(ticket_, error_response(Status::internal_server_error));
    } catch (const std::bad_alloc&) {
        postbox_->answer(ticket_, Response{Status::internal_server_error});  // needs no memory
    }
}

void Deferred::respond(Response response) {
    const auto postbox = std::exchange(postbox_, nullptr);
    postbox->answer(ticket_, std::move(response));
}

}  // namespace weir::http
