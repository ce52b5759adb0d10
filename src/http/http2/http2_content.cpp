#include "http/http2/http2_content.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

#include "http/frames/protocol.h"
#include "weir/http/tunnel.h"

namespace weir::http::http2 {

Content::Content(Response&& response) : response_{std::move(response)} {
    auto& content = response_.content();
    if (auto* view = std::get_if<std::string_view>(&content))
        bytes_ = *view;
    else if (auto* own = std::get_if<std::string>(&content))
        bytes_ = *own;
    else if (auto* range = std::get_if<FileRange>(&content))
        file_ = *range;
    else if (auto* source = std::get_if<std::unique_ptr<Source>>(&content))
        source_ = source->get();
    if (source_ != nullptr) tunnel_ = source_->tunnel();
}

std::optional<std::uint64_t> Content::size() const {
    return source_ != nullptr ? announced_left_ : at_hand();
}

void Content::leave_out() noexcept {
    done(Outcome::sent);
    source_ = nullptr;
    bytes_ = {};
    file_ = {};
}

std::uint64_t Content::at_hand() const noexcept {
    return bytes_.empty() ? file_.size : bytes_.size();
}

Content::State Content::prepare(FailureObserver* failures, const RequestSlot& slot) {
    if (at_hand() != 0) return State::ready;
    if (source_ == nullptr) return State::at_end;
    return waits_for_wake_ ? State::not_ready : pull({failures, slot.request()});
}

/// What a source gives beyond what it has announced would not be a part of the answer.
bool Content::fits(std::uint64_t size) noexcept {
    if (size == 0) return false;
    if (!announced_left_) return true;
    if (size > *announced_left_) return false;
    *announced_left_ -= size;
    return true;
}

Content::State Content::pull(const UserCode& code) {
    if (announced_left_ == 0) return State::at_end;
    if (!pulled_) pulled_ = std::make_unique_for_overwrite<char[]>(frame_bytes_max);
    const auto pulled = code.pull(*source_, {pulled_.get(), frame_bytes_max});
    if (const auto* ready = std::get_if<Source::Ready>(&pulled)) {
        if (ready->size > frame_bytes_max || !fits(ready->size)) return State::failed;
        bytes_ = {pulled_.get(), ready->size};
        return State::ready;
    }
    if (const auto* file = std::get_if<Source::File>(&pulled)) {
        if (!fits(file->range.size)) return State::failed;
        file_ = file->range;
        return State::ready;
    }
    if (std::holds_alternative<Source::End>(pulled))
        return announced_left_ ? State::failed : State::at_end;
    if (std::holds_alternative<Source::Failed>(pulled)) return State::failed;
    waits_for_wake_ = true;
    if (tunnel_ != nullptr) pulled_.reset();  // it may rest for hours
    return State::not_ready;
}

void Content::take(std::size_t size, char* to) noexcept {
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
}

FileRange Content::take_file(std::uint64_t size) noexcept {
    const FileRange taken{file_.fd, file_.offset, size};
    file_.offset += size;
    file_.size -= size;
    return taken;
}

std::string_view Content::trailers() const {
    return source_ != nullptr ? source_->trailers() : std::string_view{};
}

void Content::done(Outcome outcome) noexcept {
    if (source_ != nullptr && !std::exchange(told_, true)) source_->done(outcome);
}

std::size_t Content::own_bytes() const noexcept {
    const auto* const own = std::get_if<std::string>(&response_.content());
    return (own != nullptr ? own->capacity() : 0) + (pulled_ ? frame_bytes_max : 0) +
           (tunnel_ != nullptr ? tunnel_->bytes() : 0);
}

}  // namespace weir::http::http2
