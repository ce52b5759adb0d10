#pragma once

#include <utility>
#include <vector>

#include "http/http2/http2_stream.h"

namespace weir::http::http2 {

/// The streams that have something to send. The most urgent one has its turn first, and of those the one
/// that has waited for longest (RFC 9218 10).
class Turns {
   public:
    void add(Stream& stream) {
        if (!std::exchange(stream.is_in_turn, true)) waiting_.push_back(&stream);
    }
    void remove(Stream& stream) noexcept {
        if (std::exchange(stream.is_in_turn, false)) std::erase(waiting_, &stream);
    }
    /// Parts of an incremental answer are of use on their own: it goes behind the others of its urgency.
    void end_turn(Stream& stream) {
        if (!stream.is_in_turn || !stream.priority.incremental) return;
        remove(stream);
        add(stream);
    }

    /// Of those that can go. Null if none can.
    template <typename CanGo>
    Stream* next(CanGo can_go) const noexcept {
        Stream* next = nullptr;
        for (Stream* const stream : waiting_)
            if (can_go(*stream) &&
                (next == nullptr || stream->priority.urgency < next->priority.urgency))
                next = stream;
        return next;
    }

    /// The streams have no turn any more.
    void clear() noexcept { waiting_.clear(); }
    /// The same, and no memory is kept.
    void release() noexcept { std::vector<Stream*>{}.swap(waiting_); }

   private:
    std::vector<Stream*> waiting_;
};

}  // namespace weir::http::http2
