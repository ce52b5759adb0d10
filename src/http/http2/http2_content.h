#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "http/content/content_out.h"
#include "http/request_slot.h"

namespace weir::http::http2 {

/// The content of one response, sent frame by frame as its stream has its turn.
class Content : public ContentOut {
   public:
    enum class State : std::uint8_t { ready, not_ready, at_end, failed };

    explicit Content(Response&& response) : ContentOut{response}, head_{std::move(response)} {}

    /// The response without its content.
    const Response& head() const noexcept { return head_; }
    /// Frees the head, which was rendered.
    void forget_head() { head_ = Response{}; }

    /// Whether there is content to take. Asks the source if nothing is at hand. If the source throws,
    /// `failures` gets a report with the request.
    State prepare(FailureObserver* failures, const RequestSlot& slot);
    /// A file is next, and no bytes.
    bool is_file() const noexcept { return bytes().empty() && file().size != 0; }
    /// At `ready`: copies the next `size` bytes. Not of a file.
    void take(std::size_t size, char* to) noexcept;
    FileRange take_file(std::uint64_t size) noexcept;
    /// No content follows these `size` bytes. If that is not known yet, `at_end` follows later.
    bool ends_with(std::uint64_t size) const {
        return size == at_hand() && is_last() && trailers().empty();
    }

    /// The source may go on.
    void wake() noexcept { waits_for_wake_ = false; }
    bool waits_for_wake() const noexcept { return waits_for_wake_; }
    /// The memory in bytes of content that the response or this object owns.
    std::size_t own_bytes() const noexcept;

   private:
    State pull(const UserCode& code);

    Response head_;
    std::unique_ptr<char[]> pulled_;
    bool waits_for_wake_ = false;
};

}  // namespace weir::http::http2
