#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "http/frames/protocol.h"
#include "weir/base/now.h"

namespace weir::http::http2 {

/// A number that may be used at once, and a number that is added each second.
struct Rate {
    std::uint32_t at_once;
    std::uint32_t per_second;
};

/// The memory and the work that a peer may cause on one connection. Beyond a rate, the connection ends
/// with ENHANCE_YOUR_CALM. Limits::streams_max bounds the requests under way.
struct Bounds {
    /// Content of one request, in bytes, that the peer may send ahead of the handler or its sink.
    std::int32_t stream_window = first_window;
    /// The same for all requests of a connection.
    std::int32_t connection_window = 1024 * 1024;
    /// CONTINUATION frames of one header section (CVE-2024-27316), and its bytes before decoding.
    std::uint32_t continuations = 8;
    std::size_t section_bytes = 64 * 1024;
    /// Streams that the peer has reset, or has caused to be reset by an error of its own
    /// (CVE-2023-44487, CVE-2025-8671). A page that is left may reset all of its requests.
    Rate resets{.at_once = 100, .per_second = 33};
    /// Frames without content for a request: SETTINGS, PING, PRIORITY, empty DATA, frames of unknown
    /// types (CVE-2019-9512, 9513, 9515, 9518). Some clients ping with each packet.
    Rate idle_frames{.at_once = 1'000, .per_second = 100};
    /// Bytes received beside payload may be 7 times the payload and this number more: a bound for a peer
    /// that sends windows, padding and frame heads without use. nginx has the same bound.
    std::uint64_t overhead_bytes = 1024 * 1024;
    std::uint64_t overhead_factor = 8;
    /// Bytes of rendered frames that wait to be sent. Beyond them no content is rendered.
    std::size_t output_bytes = 64 * 1024;
    /// Bytes of the protocol's own frames (for PING, SETTINGS, content) that wait behind them. Beyond
    /// them no input is read.
    std::size_t reply_bytes = 16 * 1024;
};

/// The unused part of a rate.
class Allowance {
   public:
    explicit Allowance(Rate rate) noexcept : rate_{rate}, left_{whole * rate.at_once} {}

    /// False if no part is left.
    bool take(Instant now) noexcept {
        const auto passed = std::max<std::int64_t>((now - since_).count(), 0);
        since_ = now;
        left_ =
            std::min(left_ + static_cast<std::uint64_t>(std::min(passed, most)) * rate_.per_second,
                     whole * rate_.at_once);
        if (left_ < whole) return false;
        left_ -= whole;
        return true;
    }

   private:
    /// A second and an hour, as Instant counts. An hour of the greatest rate fits into 64 bits.
    static constexpr std::uint64_t whole = Monotonic::period::den;
    static constexpr std::int64_t most = 3600 * std::int64_t{whole};

    Rate rate_;
    std::uint64_t left_;  // in millionths
    Instant since_{};
};

/// The unused part of a connection's bounds.
struct Tolerance {
    explicit Tolerance(const Bounds& bounds) noexcept
        : resets{bounds.resets}, idle_frames{bounds.idle_frames} {}

    bool has_too_much_overhead(const Bounds& bounds) const noexcept {
        return received > bounds.overhead_factor * (payload + bounds.overhead_bytes);
    }

    Allowance resets;
    Allowance idle_frames;
    std::uint64_t received = 0;  // bytes
    std::uint64_t payload = 0;   // of those and of the sent bytes: content and fields
};

}  // namespace weir::http::http2
