#include "weir/http/request.h"

#include <algorithm>
#include <new>

#include "http/client_origin.h"
#include "weir/http/handler.h"

namespace weir::http {

std::optional<Response> Attachment::refused(Status /*status*/, std::string_view /*reason*/) {
    return std::nullopt;
}

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

/// Puts `text` behind the head, in the request's own memory.
Stretch Request::append(std::string_view text) const {
    own();
    const auto begin = static_cast<std::uint32_t>(own_head_.size());
    own_head_.append(text);
    base_ = own_head_.data();
    return {.begin = begin, .size = static_cast<std::uint32_t>(text.size())};
}

void Request::change(std::size_t index, std::string_view value) const {
    index_.fields[index].value = append(value);
}

Request::View Request::rewrite(std::string_view target, std::uint32_t prefix_bytes) const {
    const View before{.path = index_.path, .query = index_.query, .prefix_bytes = prefix_bytes_};
    const Stretch whole = append(target);
    const auto path_bytes = static_cast<std::uint32_t>(std::min(target.find('?'), target.size()));
    const std::uint32_t skipped = path_bytes + (path_bytes < whole.size ? 1 : 0);
    index_.path = {.begin = whole.begin, .size = path_bytes};
    index_.query = {.begin = whole.begin + skipped, .size = whole.size - skipped};
    prefix_bytes_ = prefix_bytes;
    if ((traces_ & is_rewritten) == 0) asked_ = before;
    traces_ |= is_rewritten;
    return before;
}

void Request::restore(const View& view) const noexcept {
    index_.path = view.path;
    index_.query = view.query;
    prefix_bytes_ = view.prefix_bytes;
    if (view.path.begin == asked_.path.begin) traces_ &= static_cast<std::uint8_t>(~is_rewritten);
}

std::string_view Request::asked_path() const noexcept {
    if ((traces_ & is_rewritten) == 0) return path();
    if (asked_.path.size == 0 && index_.form == TargetForm::absolute) return "/";
    return asked_.path.in(base_).substr(asked_.prefix_bytes);
}

void Request::come_from(std::string address) const {
    auto client = std::make_shared<ClientOrigin>(*origin_, std::move(address));
    origin_ = client.get();
    kept_origin_ = std::move(client);
}

std::shared_ptr<const Request> Request::share() const {
    own();
    if ((traces_ & is_shared) == 0) {
        traces_ |= is_shared;
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
