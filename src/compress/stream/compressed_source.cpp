#include "compress/stream/compressed_source.h"

#include <algorithm>
#include <new>

#include "base/troubles.h"

namespace weir::compress {

http::Source::Pulled CompressedSource::pull(std::span<char> into) {
    if (next_ == Going::ended) return End{};
    if (const Going due = std::exchange(next_, Going::on); due != Going::on) return after(due, 0);
    std::size_t given = 0;
    Going going = Going::on;
    while (going == Going::on && given < into.size()) {
        going = encode(into, given);
        if (going == Going::on && given < into.size()) going = advance();
    }
    if (going == Going::failed) return Failed{};
    if (collecting_) collect({into.data(), given}, going == Going::ended);
    return after(going, given);
}

/// Until the encoder has taken the piece and given what `flush_` asks for, or `into` is full.
CompressedSource::Going CompressedSource::encode(std::span<char> into, std::size_t& given) {
    if (flush_ == Flush::none && piece_.empty() && !std::exchange(has_more_, false))
        return Going::on;
    for (;;) {
        const auto progress = lease_.encoder().encode(piece_, into.subspan(given), flush_);
        piece_.remove_prefix(progress.taken);
        given += progress.given;
        const bool is_stuck = progress.taken == 0 && progress.given == 0 && !progress.is_done;
        if (progress.has_failed) return Going::failed;
        if (flush_ == Flush::end && progress.is_done) return Going::ended;
        has_more_ = given == into.size();
        if (has_more_) return Going::on;
        if (flush_ == Flush::none ? piece_.empty() : progress.is_done) return Going::on;
        if (is_stuck) return Going::failed;
    }
}

/// The encoder has given all that it was asked for: what comes next.
CompressedSource::Going CompressedSource::advance() {
    if (std::exchange(flush_, Flush::none) == Flush::sync) {
        is_flushed_ = true;
        return Going::pauses;
    }
    if (slice_left_ == 0) return Going::rests;
    const Input::Piece piece = input_.next();
    input_pauses_ = piece.state == Input::State::not_ready;
    switch (piece.state) {
        case Input::State::failed: return Going::failed;
        case Input::State::end: flush_ = Flush::end; break;
        case Input::State::not_ready:
            if (is_flushed_) return Going::pauses;
            flush_ = Flush::sync;
            break;
        case Input::State::more:
            piece_ = piece.bytes;
            slice_left_ -= std::min(slice_left_, piece.bytes.size());
            is_flushed_ = false;
            break;
    }
    return Going::on;
}

/// Where there is no memory for it, the next client finds nothing, and the stream goes on.
void CompressedSource::collect(std::string_view bytes, bool is_last) noexcept {
    try {
        collecting_->add(bytes);
        if (!is_last) return;
        collecting_->finish();
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
    }
    collecting_.reset();
}

/// What pull() returns, with `given` bytes written: first these, and then why there are no more.
http::Source::Pulled CompressedSource::after(Going going, std::size_t given) {
    if (given != 0) {
        next_ = going;
        return Ready{given};
    }
    if (going == Going::ended) {
        next_ = going;
        return End{};
    }
    if (going == Going::rests) {
        slice_left_ = slice_bytes;
        waker_.wake();
    }
    return NotReady{};
}

}  // namespace weir::compress
