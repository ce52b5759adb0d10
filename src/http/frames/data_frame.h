#pragma once

#include <cstdint>
#include <string_view>

#include "http/frames/protocol.h"

namespace weir::http::http2 {

/// A DATA frame that is being read. Its content is passed on as it comes, and padding follows (RFC 9113
/// 6.1).
struct DataFrame {
    StreamId stream = 0;  // 0: none is being read
    std::uint32_t content_left = 0;
    std::uint32_t padding_left = 0;
    bool ends_stream = false;

    bool is_open() const noexcept { return stream != 0; }
    bool is_whole() const noexcept { return content_left == 0 && padding_left == 0; }

    /// Takes the content at the beginning of `input`.
    std::string_view take_content(std::string_view& input) noexcept {
        return take(content_left, input);
    }
    /// The same for padding. The content is complete.
    void skip_padding(std::string_view& input) noexcept { take(padding_left, input); }

   private:
    static std::string_view take(std::uint32_t& left, std::string_view& input) noexcept {
        const std::string_view part = input.substr(0, left);
        input.remove_prefix(part.size());
        left -= static_cast<std::uint32_t>(part.size());
        return part;
    }
};

}  // namespace weir::http::http2
