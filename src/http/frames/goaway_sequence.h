#pragma once

#include <string_view>
#include <utility>

#include "http/frames/frame.h"
#include "weir/base/instant.h"

namespace weir::http::http2 {

/// The end of a connection by two GOAWAY frames (RFC 9113 6.8). The first one says that no more
/// requests should come. Those that are on their way are still served. The second one follows once the
/// peer has read the first one, or has had time enough, and says which requests were served.
///
/// Each function writes nothing if `output` is null: the preface was not read yet.
class GoawaySequence {
   public:
    bool has_begun() const noexcept { return has_begun_; }
    bool is_final() const noexcept { return is_final_; }
    /// The peer has read all that was sent before the first GOAWAY.
    bool is_heard() const noexcept { return is_heard_; }
    /// The time for finish().
    Instant due() const noexcept { return due_; }

    void begin(Instant due, OutputBuffer* output) {
        if (std::exchange(has_begun_, true)) return;
        due_ = due;
        if (!output) return;
        append_goaway(*output, stream_id_max, ErrorCode::no_error);
        append_ping(*output, 0, ping);
    }
    /// The preface has come after begin().
    void repeat(OutputBuffer& output) const {
        if (has_begun_) append_goaway(output, stream_id_max, ErrorCode::no_error);
    }
    /// True if this is the answer to the PING behind the first GOAWAY.
    bool hears(std::string_view ping_payload) noexcept {
        if (!has_begun_ || ping_payload != ping) return false;
        return is_heard_ = true;
    }
    void finish(StreamId last, OutputBuffer* output) {
        due_ = never;
        if (std::exchange(is_final_, true) || !output) return;
        append_goaway(*output, last, ErrorCode::no_error);
    }

   private:
    static constexpr std::string_view ping = "leaving!";  // the payload

    Instant due_ = never;
    bool has_begun_ = false;
    bool is_heard_ = false;
    bool is_final_ = false;
};

}  // namespace weir::http::http2
