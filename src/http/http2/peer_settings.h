#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "http/frames/protocol.h"
#include "http/hpack/decoder.h"

namespace weir::http::http2 {

/// The peer's settings (RFC 9113 6.5.2).
class PeerSettings {
   public:
    /// Returns the fault of a value that no peer may send.
    std::optional<ErrorCode> apply(Setting setting, std::uint32_t value) noexcept {
        switch (setting) {
            case Setting::enable_push:
            case Setting::no_rfc7540_priorities:
                return unless(value <= 1, ErrorCode::protocol_error);
            case Setting::initial_window_size:
                first_window_ = value;
                return unless(value <= window_max, ErrorCode::flow_control_error);
            case Setting::max_frame_size:
                frame_bytes_max_ = value;
                return unless(value >= http2::frame_bytes_max && value <= frame_bytes_limit,
                              ErrorCode::protocol_error);
            case Setting::header_table_size:
                if (value < hpack::DynamicTable::size_max) table_update_due_ = !table_is_empty_;
                return std::nullopt;
            default: return std::nullopt;
        }
    }

    /// The send window of a new stream, in bytes.
    std::int64_t first_window() const noexcept { return first_window_; }
    /// The largest payload that the peer takes, in bytes.
    std::uint32_t frame_bytes_max() const noexcept { return frame_bytes_max_; }
    /// Whether the next section says that this side uses no table. True once.
    bool take_table_update() noexcept {
        if (table_update_due_) table_is_empty_ = true;
        return std::exchange(table_update_due_, false);
    }

   private:
    static constexpr std::uint32_t frame_bytes_limit = (1u << 24u) - 1;

    static std::optional<ErrorCode> unless(bool is_good, ErrorCode code) noexcept {
        return is_good ? std::nullopt : std::optional{code};
    }

    std::int64_t first_window_ = http2::first_window;
    std::uint32_t frame_bytes_max_ = http2::frame_bytes_max;
    bool table_update_due_ = false;
    bool table_is_empty_ = false;  // the peer knows that this side uses none
};

}  // namespace weir::http::http2
