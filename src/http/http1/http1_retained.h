#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/budget.h"
#include "http/content/chunked_decoder.h"
#include "http/content/content_in.h"
#include "http/http1/http1_connection.h"

namespace weir::http {

/// The content of a request on its way in, and its end.
struct Incoming {
    ContentIn content;
    std::uint64_t left = 0;  // of sized content
    ChunkedDecoder chunks;
};

/// The state that a connection keeps while the engine serves others.
struct Http1Connection::Retained {
    explicit Retained(Budget* memory) : share{memory} {}

    /// The memory in bytes, with that of this object.
    std::size_t bytes() const noexcept {
        return sizeof *this + (slot ? slot->bytes() : 0) + input.capacity() + output.capacity();
    }

    Share share;                        // of the memory that all connections may keep
    std::unique_ptr<RequestSlot> slot;  // an unfinished head, or a request at work
    std::string input;
    OutputBuffer output;
    std::optional<Incoming> incoming;
    std::optional<Reply> early_reply;            // given while `output` was still being sent
    std::unique_ptr<Continuation> continuation;  // of the request in hand
    Instant answer_by = never;  // the continuation's deadline, unless content comes
    std::uint32_t taken = 0;    // bytes of `sent_` that the peer had at the last check
    Instant drained_by = never;
};

inline Http1Connection::Retained& Http1Connection::retained() {
    if (!retained_) retained_ = std::make_unique<Retained>(workspace_.memory);
    return *retained_;
}

inline RequestSlot& Http1Connection::slot() noexcept {
    return retained_ && retained_->slot ? *retained_->slot : workspace_.request;
}

inline OutputBuffer& Http1Connection::output() noexcept {
    return retained_ && !retained_->output.empty() ? retained_->output : workspace_.output;
}

}  // namespace weir::http
