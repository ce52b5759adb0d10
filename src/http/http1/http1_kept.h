#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/content/chunked_decoder.h"
#include "http/http1/http1_connection.h"

namespace weir::http {

/// The content of a request on its way in.
struct Incoming {
    std::unique_ptr<Sink> sink;  // null: collected in the request
    Instant began;
    std::uint64_t left = 0;      // of sized content
    std::uint64_t received = 0;  // decoded
    ChunkedDecoder chunks;
};

/// What a connection keeps when the engine turns elsewhere.
struct Http1Connection::Kept {
    std::unique_ptr<RequestSlot> slot;  // an unfinished head, or a request at work
    std::string input;
    OutputBuffer output;
    std::optional<Incoming> incoming;
    std::optional<Reply> early_reply;  // came while `output` was still being sent
    std::uint64_t taken = 0;  // by the peer, of all that was sent, when that was last looked at
    Instant drained_by = never;
};

inline Http1Connection::Kept& Http1Connection::kept() {
    if (!kept_) kept_ = std::make_unique<Kept>();
    return *kept_;
}

inline RequestSlot& Http1Connection::slot() noexcept {
    return kept_ && kept_->slot ? *kept_->slot : workspace_.request;
}

inline OutputBuffer& Http1Connection::output() noexcept {
    return kept_ && !kept_->output.empty() ? kept_->output : workspace_.output;
}

}  // namespace weir::http
