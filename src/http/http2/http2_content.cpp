#include "http/http2/http2_content.h"

#include <cstring>
#include <variant>

#include "http/frames/protocol.h"

namespace weir::http::http2 {

Content::State Content::prepare(FailureObserver* failures, const RequestSlot& slot) {
    if (at_hand() != 0) return State::ready;
    if (!has_source()) return State::at_end;
    return waits_for_wake_ ? State::not_ready : pull({failures, slot.request()});
}

Content::State Content::pull(const UserCode& code) {
    if (is_last()) return State::at_end;
    if (!pulled_) pulled_ = std::make_unique_for_overwrite<char[]>(frame_bytes_max);
    const auto pulled = ContentOut::pull(code, {pulled_.get(), frame_bytes_max});
    if (std::holds_alternative<Source::End>(pulled)) return State::at_end;
    if (std::holds_alternative<Source::Failed>(pulled)) return State::failed;
    if (!std::holds_alternative<Source::NotReady>(pulled)) {
        if (const auto* ready = std::get_if<Source::Ready>(&pulled))
            now_at_hand({pulled_.get(), ready->size});
        return State::ready;
    }
    waits_for_wake_ = true;
    if (tunnel() != nullptr) pulled_.reset();  // a tunnel may be idle for hours
    return State::not_ready;
}

void Content::take(std::size_t size, char* to) noexcept {
    std::memcpy(to, bytes().data(), size);
    taken(size);
}

FileRange Content::take_file(std::uint64_t size) noexcept {
    const FileRange next{file().fd, file().offset, size};
    taken(size);
    return next;
}

std::size_t Content::own_bytes() const noexcept {
    return ContentOut::own_bytes() + (pulled_ ? frame_bytes_max : 0);
}

}  // namespace weir::http::http2
