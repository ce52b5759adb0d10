#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/budget.h"
#include "http/content/chunked_decoder.h"
#include "http/content/content_in.h"
#include "http/http1/session.h"

namespace weir::http::http1 {

/// The content of a request on its way in, and its end.
struct Incoming {
    ContentIn content;
    std::uint64_t left = 0;  // of sized content
    ChunkedDecoder chunks;
};

/// The state that a connection keeps while the engine serves others.
struct Retained {
    explicit Retained(Budget* memory) : share{memory} {}

    /// The memory in bytes, with that of this object.
    std::size_t bytes() const noexcept {
        return sizeof *this + (slot ? slot->bytes() : 0) + input.capacity() + output.capacity() +
               (continuation ? continuation->bytes() : 0);
    }

    Share share;                        // of the memory that all connections may keep
    std::unique_ptr<RequestSlot> slot;  // an unfinished head, or a request at work
    std::string input;
    OutputBuffer output;
    std::optional<Incoming> incoming;
    std::optional<Reply> early_reply;            // given while `output` was still being sent
    std::unique_ptr<Continuation> continuation;  // of the request in hand
    Instant answer_by = never;  // the continuation's deadline, unless content comes
    std::uint32_t taken = 0;    // bytes of `Session::sent` that the peer had at the last check
    Instant drained_by = never;
};

inline Retained& Session::retain() {
    if (!retained) retained = std::make_unique<Retained>(workspace.memory);
    return *retained;
}

inline RequestSlot& Session::slot() noexcept {
    return retained && retained->slot ? *retained->slot : workspace.request;
}

inline OutputBuffer& Session::output() noexcept {
    return retained && !retained->output.empty() ? retained->output : workspace.output;
}

inline bool Session::has_continuation() const noexcept {
    return retained && retained->continuation;
}

}  // namespace weir::http::http1
