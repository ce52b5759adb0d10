#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http/request_slot.h"
#include "support/multiplex_answer.h"
#include "support/multiplex_frames.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::tests::multiplex {

/// One request of a multiplexed connection, from its frame to the last byte of its answer.
struct Stream {
    enum class Phase : std::uint8_t {
        ready,       // take_request() is due
        at_handler,  // its reply is due
        content,     // is read, for its handler
        answering,
        answered,  // all of the answer is in the output
    };
    /// What it waits for, and why it is over if that doesn't come.
    enum class Timer : std::uint8_t { none, handler, body, wake, window };

    explicit Stream(std::uint32_t number) : id{number} {}

    std::uint32_t id;
    http::RequestSlot slot;
    Phase phase = Phase::ready;
    bool awaited = true;  // false: the reply will be dropped
    Timer timer = Timer::none;
    Instant deadline = never;

    // Its content. What was not taken yet is held: no more than was granted.
    std::unique_ptr<http::Sink> sink;  // null: collected in the request
    std::string held;
    std::int64_t receive_window = first_stream_window;
    bool content_ended = true;
    bool sink_pauses = false;

    // Its answer
    std::shared_ptr<Answer> answer;  // shared with the output
    std::int64_t send_window = first_stream_window;
    std::uint64_t content_sent = 0;

    bool at_handler() const noexcept { return phase == Phase::at_handler; }
    void disarm() noexcept {
        timer = Timer::none;
        deadline = never;
    }
};

}  // namespace weir::tests::multiplex
