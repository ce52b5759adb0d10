#include "compress/stream/compressed_source.h"

#include <chrono>

namespace weir::compress {

namespace {

/// The longest wait for a helper without a look at the task: a wake-up may get lost if there is no
/// memory for it.
constexpr std::chrono::seconds patience{1};

}  // namespace

void CompressedSource::read(http::Response::Content content,
                            std::shared_ptr<const void> owner) noexcept {
    if (auto* const source = std::get_if<std::unique_ptr<http::Source>>(&content))
        source_ = std::move(*source);
    else if (const auto* const file = std::get_if<http::FileRange>(&content); file && !owner)
        part_.emplace(*file);  // without an owner, the descriptor may be closed while a helper
                               // reads
    else
        task_->read(std::move(content), std::move(owner));
}

http::Source::Pulled CompressedSource::pull(std::span<char> into) {
    looks_again_ = false;
    looks_for_it_ = never;
    for (;;) {
        if (task_->is_away()) {
            looks_for_it_ = task_->waker().now() + patience;
            return NotReady{};
        }
        if (const std::size_t given = task_->take(into); given != 0) return Ready{given};
        if (task_->has_failed()) return Failed{};
        if (task_->has_ended()) return End{};
        if (task_->is_hungry() && !task_->reads_itself()) {
            // Pulls from the source again only when the kernel has taken all output, as without
            // compression.
            looks_again_ = std::exchange(is_flushing_, false);
            if (looks_again_ || !feed()) return NotReady{};
        }
        if (!encode()) return NotReady{};
    }
}

/// Returns false if the work continues later.
bool CompressedSource::encode() {
    if (task_->is_small()) {
        task_->work();
        return true;
    }
    if (helpers_->take(task_)) return true;
    task_->work();
    looks_again_ = true;  // without a helper, other connections have their turn between two pieces
    return false;
}

/// Returns false if nothing can be done before the source has more.
bool CompressedSource::feed() {
    const auto [fed, size] = gather(task_->room());
    is_paused_ = fed == Fed::paused;
    if (fed == Fed::failed) {
        task_->fail();
        return true;
    }
    if (is_paused_ && size == 0 && task_->is_flushed()) return false;
    is_flushing_ = is_paused_;
    task_->give({task_->room().data(), size}, fed == Fed::ended ? Flush::end
                                              : is_paused_      ? Flush::sync
                                                                : Flush::none);
    return true;
}

/// Gathers small pieces into a larger one, because each turn of a helper has a cost.
CompressedSource::Meal CompressedSource::gather(std::span<char> room) {
    constexpr std::size_t small_room = EncodingTask::piece_bytes_max / 4;
    std::size_t size = 0;
    for (;;) {
        const auto [fed, more] = gather_once(room.subspan(size));
        size += more;
        if (fed != Fed::more || room.size() - size < small_room) return {fed, size};
    }
}

/// Returns true if the source has given no more than it has announced.
bool CompressedSource::count(std::uint64_t size) noexcept {
    if (!left_) return true;
    const bool is_right = size <= *left_;
    if (is_right) *left_ -= size;
    return is_right;
}

/// A source of known size is not asked again after its last byte, as without compression. If pull()
/// throws, the source fails.
CompressedSource::Meal CompressedSource::gather_once(std::span<char> room) {
    if (part_) {
        const Input::Piece piece = part_->next(room);
        if (piece.state == Input::State::failed) return {Fed::failed, 0};
        if (piece.state == Input::State::more) return {Fed::more, piece.bytes.size()};
        part_.reset();
        return {source_ ? Fed::more : Fed::ended, 0};
    }
    if (!std::exchange(was_asked_, true)) left_ = source_->size();
    if (left_ && *left_ == 0) return {Fed::ended, 0};
    const Pulled pulled = source_->pull(room);
    if (const auto* const ready = std::get_if<Ready>(&pulled)) {
        const bool is_right = ready->size != 0 && ready->size <= room.size() && count(ready->size);
        return {is_right ? Fed::more : Fed::failed, is_right ? ready->size : 0};
    }
    if (const auto* const file = std::get_if<File>(&pulled)) {
        if (file->range.size == 0 || !count(file->range.size)) return {Fed::failed, 0};
        part_.emplace(file->range);
        return {Fed::more, 0};
    }
    if (std::holds_alternative<NotReady>(pulled)) return {Fed::paused, 0};
    const bool has_ended = std::holds_alternative<End>(pulled) && !left_;
    return {has_ended ? Fed::ended : Fed::failed, 0};
}

Instant CompressedSource::due() const noexcept {
    if (looks_for_it_ != never) return looks_for_it_;
    if (looks_again_) return Instant{};
    return is_paused_ && source_ ? source_->due() : never;
}

}  // namespace weir::compress
