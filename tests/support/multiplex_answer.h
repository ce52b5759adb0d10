#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/http/response.h"

namespace weir::tests::multiplex {

/// The content of one answer, given out piece by piece as its stream has its turn.
class Answer {
   public:
    enum class State : std::uint8_t { ready, not_ready, at_end, failed };
    struct Piece {
        std::string_view bytes;
        http::FileRange file;
        bool stays = false;  // the bytes stay where they are for as long as the answer
    };

    explicit Answer(http::Response&& response);
    ~Answer() { done(http::Outcome::stopped); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    http::Status status() const noexcept { return response_.status(); }

    /// Whether there is something to take; asks the source where nothing is at hand.
    State prepare();
    /// At `ready`: at most so many bytes. Those that don't stay are there until the next call.
    Piece take(std::size_t bytes_max);
    /// The source may go on.
    void wake() noexcept { waits_for_wake_ = false; }
    /// Tells the source, once.
    void done(http::Outcome outcome) noexcept;

   private:
    State pull();

    http::Response response_;
    std::string_view bytes_;
    http::FileRange file_;
    http::Source* source_ = nullptr;  // lives in response_
    std::string pulled_;
    std::string_view unsent_;  // of pulled_
    bool waits_for_wake_ = false;
};

}  // namespace weir::tests::multiplex
