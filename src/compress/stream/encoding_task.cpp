#include "compress/stream/encoding_task.h"

#include <algorithm>
#include <exception>

#include "base/troubles.h"

namespace weir::compress {

void EncodingTask::read(http::Response::Content content,
                        std::shared_ptr<const void> owner) noexcept {
    content_ = std::move(content);
    owner_ = std::move(owner);
    reads_itself_ = true;
    if (const auto bytes = bytes_of(content_)) input_ = Input{*bytes};
    if (const auto* const file = std::get_if<http::FileRange>(&content_)) input_ = Input{*file};
}

void EncodingTask::give(std::string_view piece, Flush flush) noexcept {
    piece_ = piece;
    flush_ = flush;
    unflushed_ += piece.size();
}

std::size_t EncodingTask::take(std::span<char> into) noexcept {
    const std::size_t size = std::min(into.size(), out_end_ - out_begin_);
    std::copy_n(out_.data() + out_begin_, size, into.data());
    out_begin_ += size;
    if (out_begin_ == out_end_) out_begin_ = out_end_ = 0;
    return size;
}

void EncodingTask::work() noexcept {
    constexpr std::size_t turn_bytes_max = 8 * piece_bytes_max;  // of the input
    const std::size_t begin = out_end_;
    std::size_t taken = 0;
    while (state_ == State::works && out_end_ < out_.size()) {
        if (is_hungry()) {
            if (!reads_itself_ || taken >= turn_bytes_max) break;
            read_piece();
            taken += piece_.size();
        } else {
            encode();
        }
    }
    if (collecting_) collect({out_.data() + begin, out_end_ - begin});
}

void EncodingTask::read_piece() noexcept {
    const Input::Piece piece = input_.next(in_);
    if (piece.state == Input::State::failed) return fail();
    give(piece.bytes, piece.state == Input::State::end ? Flush::end : Flush::none);
}

/// Encodes until the encoder has taken the piece and given the output that `flush_` requires, or
/// until the output buffer is full.
void EncodingTask::encode() noexcept {
    const std::span<char> room = std::span{out_}.subspan(out_end_);
    const auto progress = lease_.encoder().encode(piece_, room, flush_);
    piece_.remove_prefix(progress.taken);
    out_end_ += progress.given;
    has_more_ = flush_ == Flush::none && out_end_ == out_.size();
    if (progress.has_failed) return fail();
    if (flush_ == Flush::none) {
        if (progress.taken == 0 && progress.given == 0 && !piece_.empty()) fail();
    } else if (progress.is_done) {
        if (flush_ == Flush::end) state_ = State::ended;
        flush_ = Flush::none;
        unflushed_ = 0;
    } else if (progress.taken == 0 && progress.given == 0) {
        fail();
    }
}

/// If there is no memory to collect the output, the stream goes on, and nothing is cached.
void EncodingTask::collect(std::string_view bytes) noexcept {
    bool goes_on = false;
    try {
        goes_on = state_ != State::failed && collecting_->add(bytes);
        if (goes_on && state_ == State::ended) collecting_->finish();
    } catch (const std::exception&) {
        troubles().note(Trouble::memory);
        goes_on = false;
    }
    if (!goes_on || state_ == State::ended) collecting_.reset();
}

void EncodingTask::come_back() noexcept {
    is_away_.store(false, std::memory_order_release);
    try {
        waker_.wake();
    } catch (const std::exception&) {
        troubles().note(Trouble::memory);  // the connection looks again by itself:
                                           // CompressedSource::due()
    }
}

}  // namespace weir::compress
