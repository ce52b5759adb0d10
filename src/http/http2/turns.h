#pragma once

#include <utility>
#include <vector>

#include "http/http2/http2_stream.h"

namespace weir::http::http2 {

/// The streams with output. The most urgent stream has its turn first; among equals, the one that has
/// waited longest (RFC 9218 10).
class Turns {
   public:
    void add(Stream& stream) {
        if (!std::exchange(stream.is_in_turn, true)) waiting_.push_back(&stream);
    }
    void remove(Stream& stream) noexcept {
        if (std::exchange(stream.is_in_turn, false)) std::erase(waiting_, &stream);
    }
    /// Parts of an incremental response are of use on their own: its stream goes behind the others of
    /// the same urgency.
    void end_turn(Stream& stream) {
        if (!stream.is_in_turn || !stream.priority.incremental) return;
        remove(stream);
        add(stream);
    }

    /// The first stream for which `can_go` is true. Null if there is none.
    template <typename CanGo>
    Stream* next(CanGo can_go) const noexcept {
        Stream* next = nullptr;
        for (Stream* const stream : waiting_)
            if (can_go(*stream) &&
                (next == nullptr || stream->priority.urgency < next->priority.urgency))
                next = stream;
        return next;
    }

    /// Removes all streams.
    void clear() noexcept { waiting_.clear(); }
    /// The same, and frees the memory.
    void release() noexcept { std::vector<Stream*>{}.swap(waiting_); }

   private:
    std::vector<Stream*> waiting_;
};

}  // namespace weir::http::http2
