#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/frames/protocol.h"

namespace weir::http::http2 {

/// A header section whose CONTINUATION frames are due. No other frame may come in between (RFC 9113
/// 6.10).
class UnfinishedSection {
   public:
    /// The bounds of one section.
    struct Limits {
        std::uint32_t continuations;
        std::size_t bytes;
    };
    struct Whole {
        StreamId stream;
        bool ends_stream;
        std::string block;
    };

    bool is_open() const noexcept { return stream_ != 0; }
    bool is_of(StreamId stream) const noexcept { return is_open() && stream == stream_; }

    void begin(StreamId stream, bool ends_stream, std::string_view fragment) {
        block_.assign(fragment);
        stream_ = stream;
        ends_stream_ = ends_stream;
        continuations_ = 0;
    }
    /// False beyond the limits.
    bool add(std::string_view fragment, Limits limits) {
        if (++continuations_ > limits.continuations ||
            block_.size() + fragment.size() > limits.bytes)
            return false;
        block_ += fragment;
        return true;
    }
    /// The complete section. None is open afterwards.
    Whole finish() { return {std::exchange(stream_, 0), ends_stream_, std::exchange(block_, {})}; }

    /// Its memory in bytes.
    std::size_t bytes() const noexcept { return block_.capacity(); }

   private:
    std::string block_;
    StreamId stream_ = 0;  // 0: none is due
    std::uint32_t continuations_ = 0;
    bool ends_stream_ = false;
};

}  // namespace weir::http::http2
