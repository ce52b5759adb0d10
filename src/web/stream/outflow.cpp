#include "web/stream/outflow.h"

#include <algorithm>
#include <new>
#include <utility>

namespace weir::web::detail {

/// False if the response has ended: then the piece is unchanged.
bool Outflow::add(Piece&& piece) {
    const std::scoped_lock lock{mutex_};
    if (is_closed_ || has_ended_) return false;
    Piece& added = pieces_.emplace_back(std::move(piece));
    if (added.by == nullptr) added.bytes = added.own;
    return true;
}

void Outflow::put(std::string&& data, std::unique_ptr<Done> done) {
    Piece piece{.own = std::move(data), .done = std::move(done)};
    if (add(std::move(piece)))
        waker_.wake();
    else
        piece.done->tell(false);  // NOLINT(bugprone-use-after-move): untouched
}

void Outflow::belong_to_coroutine() {
    const std::scoped_lock lock{mutex_};
    is_coroutines_ = true;
}

void Outflow::abandon() noexcept {
    {
        const std::scoped_lock lock{mutex_};
        if (is_coroutines_) return;
    }
    finish(true);
}

void Outflow::finish(bool fails) noexcept {
    {
        const std::scoped_lock lock{mutex_};
        if (is_closed_ || has_ended_) return;
        note_end(fails);
    }
    waker_.wake();
}

void Outflow::note_end(bool fails) noexcept {
    has_ended_ = true;
    has_failed_ = fails;
    if (published_) published_->outbox.end();
}

std::shared_ptr<Outbox> Outflow::outbox() {
    const std::scoped_lock lock{mutex_};
    if (!published_) published_ = std::make_shared<Published>(waker_, queue_bytes_max_);
    if (is_closed_ || has_ended_) published_->outbox.end();
    return {published_, &published_->outbox};
}

std::stop_token Outflow::stopping_token() {
    const std::scoped_lock lock{mutex_};
    if (!stopping_.stop_possible()) {
        stopping_ = std::stop_source{};
        if (is_retired_ || is_closed_) stopping_.request_stop();
    }
    return stopping_.get_token();
}

void Outflow::note_retired() noexcept {
    std::stop_source stopping{std::nostopstate};
    {
        const std::scoped_lock lock{mutex_};
        is_retired_ = true;
        stopping = stopping_;
    }
    stopping.request_stop();
}

/// An event that is under way is completed first.
std::size_t Outflow::take(std::span<char> into) {
    const std::scoped_lock lock{mutex_};
    std::size_t size = published_ ? take_published(into) : 0;
    size += take_pieces(into.subspan(size));
    while (published_ && size < into.size() && next_published())
        size += take_published(into.subspan(size));
    return size;
}

std::size_t Outflow::take_published(std::span<char> into) {
    const std::size_t size = published_->left.copy(into.data(), into.size());
    published_->left.remove_prefix(size);
    if (published_->left.empty()) published_->event.reset();
    return size;
}

/// False if there is no event, and none is under way.
bool Outflow::next_published() {
    auto item = published_->outbox.take();
    if (!item) return false;
    if (item->code != CloseCode::none) {  // the peer reads too slowly
        if (!has_ended_) note_end(false);
        return false;
    }
    published_->event = std::move(item->bytes);
    published_->left = *published_->event;
    return true;
}

std::size_t Outflow::take_pieces(std::span<char> into) noexcept {
    std::size_t size = 0;
    while (taken_ < pieces_.size() && size < into.size()) {
        Piece& piece = pieces_[taken_];
        const std::size_t part = std::min(piece.bytes.size(), into.size() - size);
        std::copy_n(piece.bytes.data(), part, into.data() + size);
        piece.bytes.remove_prefix(part);
        size += part;
        if (piece.bytes.empty()) ++taken_;
    }
    return size;
}

void Outflow::withdraw(const Write& by) noexcept {
    const std::scoped_lock lock{mutex_};
    const auto found = std::ranges::find(pieces_, &by, &Piece::by);
    if (found == pieces_.end()) return;
    found->by = nullptr;
    if (found->bytes.empty()) return;
    if (found->bytes.size() == by.size()) {
        pieces_.erase(found);
    } else {
        try {
            found->own = found->bytes;
            found->bytes = found->own;
        } catch (const std::bad_alloc&) {
            has_ended_ = has_failed_ = true;
            pieces_.erase(found);
        }
    }
}

void Outflow::note_sent() {
    std::deque<Piece> sent;
    {
        const std::scoped_lock lock{mutex_};
        for (; taken_ != 0; --taken_) {
            sent.push_back(std::move(pieces_.front()));
            pieces_.pop_front();
        }
    }
    for (const Piece& piece : sent) {
        if (piece.by != nullptr) piece.by->note_taken();
        if (piece.done) piece.done->tell(true);
    }
}

bool Outflow::has_pieces() const {
    const std::scoped_lock lock{mutex_};
    return taken_ != pieces_.size();
}

bool Outflow::is_complete() const {
    const std::scoped_lock lock{mutex_};
    return has_ended_ && !has_failed_ && pieces_.empty();
}

bool Outflow::has_failed() const {
    const std::scoped_lock lock{mutex_};
    return has_failed_ && pieces_.empty();
}

void Outflow::close(bool was_sent) noexcept {
    std::size_t sent = 0;
    std::stop_source stopping{std::nostopstate};
    {
        const std::scoped_lock lock{mutex_};
        is_closed_ = true;
        stopping = stopping_;
        if (published_) published_->outbox.close();
        sent = was_sent ? taken_ : 0;
    }
    // No other thread uses the pieces from here on. An empty deque would have to be allocated.
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (pieces_[i].done) pieces_[i].done->tell(i < sent);
    pieces_.clear();
    taken_ = 0;
    if (!was_sent) stop_.request_stop();
    stopping.request_stop();
}

}  // namespace weir::web::detail
