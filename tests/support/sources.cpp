#include "support/sources.h"

#include <algorithm>

#include "support/pattern.h"

namespace weir::tests {

std::string_view to_text(http::Outcome outcome) {
    switch (outcome) {
        case http::Outcome::sent: return "sent";
        case http::Outcome::peer_gone: return "peer gone";
        case http::Outcome::timed_out: return "timed out";
        case http::Outcome::source_failed: return "source failed";
        case http::Outcome::stopped: return "stopped";
        case http::Outcome::out_of_memory: return "out of memory";
    }
    return "?";
}

std::optional<std::uint64_t> PatternSource::size() const {
    return options_.sized ? std::optional{options_.bytes} : std::nullopt;
}

bool PatternSource::pauses_now() {
    if (options_.pause_every == 0 || ++pieces_ % options_.pause_every != 0) return false;
    paused_ = !paused_;
    return paused_;
}

http::Source::Pulled PatternSource::pull(std::span<char> into) {
    if (position_ == options_.bytes) return End{};
    if (pauses_now()) {
        background_.soon([waker = waker_] { waker.wake(); });
        return NotReady{};
    }
    const auto piece = pattern_piece(position_, std::min(into.size(), options_.bytes - position_));
    std::ranges::copy(piece, into.begin());
    position_ += piece.size();
    return Ready{piece.size()};
}

http::Source::Pulled ListedSource::pull(std::span<char> into) {
    if (at_ == pieces_.size()) return End{};
    const Piece& piece = pieces_[at_];
    if (const auto* gate = std::get_if<const Gate*>(&piece)) {
        if (!(*gate)->is_open()) {
            // Ask for one wake-up only, even if pull() is called again before it.
            if (!std::exchange(waits_, true))
                background_.when_readable((*gate)->fd(), [waker = waker_] { waker.wake(); });
            return NotReady{};
        }
        ++at_;
        return pull(into);
    }
    ++at_;
    if (const auto* range = std::get_if<http::FileRange>(&piece)) return File{*range};
    if (const auto* text = std::get_if<std::string>(&piece)) {
        std::ranges::copy(*text, into.begin());
        return Ready{text->size()};
    }
    return Failed{};
}

}  // namespace weir::tests
