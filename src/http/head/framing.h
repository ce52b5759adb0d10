#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "http/syntax/fault.h"
#include "weir/http/head_index.h"

namespace weir::http {

/// The meaning of a complete head for its connection: RFC 9112 6.3 (length), 9.3 (persistence),
/// 3.2 (Host), RFC 9110 10.1.1 (Expect).
struct Framing {
    enum class Content : std::uint8_t { none, sized, chunked };

    Fault fault = Fault::none;  // any other: the peer gets an error response, the connection closes
    Content content = Content::none;
    std::uint64_t content_length = 0;  // of sized content; > 0
    bool keep_alive = true;            // by the peer's version and its Connection options
    bool expects_continue = false;     // says nothing without content; ignored in HTTP/1.0
};

/// The last Host that was well-formed, so that it needs no second check: a client sends the same
/// Host with each request, and most clients of a server send the same one. Hosts of more than 63
/// bytes are checked each time.
class LastHost {
   public:
    bool is(std::string_view host) const noexcept {
        return host.size() == size_ && std::memcmp(host.data(), text_.data(), size_) == 0;
    }
    void note(std::string_view host) noexcept {
        if (host.size() > text_.size()) return;
        std::ranges::copy(host, text_.begin());
        size_ = static_cast<std::uint8_t>(host.size());
    }

   private:
    std::uint8_t size_ = 0;  // 0: none yet
    std::array<char, 63> text_{};
};

/// Also fills index.authority from Host if the target has no authority. `head` is the head's first
/// byte.
Framing framing_of(const char* head, HeadIndex& index, LastHost& last_host) noexcept;
inline Framing framing_of(const char* head, HeadIndex& index) noexcept {
    LastHost none;
    return framing_of(head, index, none);
}

// The parts that hold for responses, too.

/// Fills `fault`, `content` and `content_length` by the fields alone.
Framing content_framing_of(const char* head, const HeadIndex& index) noexcept;
/// RFC 9112 9.3
bool keeps_alive(const char* head, const HeadIndex& index) noexcept;

}  // namespace weir::http
