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

/// The content of a request on its way in, and where it ends.
struct Incoming {
    ContentIn content;
    std::uint64_t left = 0;  // of sized content
    ChunkedDecoder chunks;
};

/// What a connection keeps when the engine turns elsewhere.
struct Http1Connection::Kept {
    explicit Kept(Budget* memory) : share{memory} {}

    /// What it takes up, itself included.
    std::size_t bytes() const noexcept {
        return sizeof *this + (slot ? slot->bytes() : 0) + input.capacity() + output.capacity();
    }

    Share share;                        // of what all connections may keep
    std::unique_ptr<RequestSlot> slot;  // an unfinished head, or a request at work
    std::string input;
    OutputBuffer output;
    std::optional<Incoming> incoming;
    std::optional<Reply> early_reply;            // came while `output` was still being sent
    std::unique_ptr<Continuation> continuation;  // of the request in hand
    Instant answer_by = never;                   // by the continuation, unless content comes
    std::uint32_t taken = 0;  // by the peer, of `sent_`, when that was last looked at
    Instant drained_by = never;
};

inline Http1Connection::Kept& Http1Connection::kept() {
    if (!kept_) kept_ = std::make_unique<Kept>(workspace_.memory);
    return *kept_;
}

inline RequestSlot& Http1Connection::slot() noexcept {
    return kept_ && kept_->slot ? *kept_->slot : workspace_.request;
}

inline OutputBuffer& Http1Connection::output() noexcept {
    return kept_ && !kept_->output.empty() ? kept_->output : workspace_.output;
}

}  // namespace weir::http
