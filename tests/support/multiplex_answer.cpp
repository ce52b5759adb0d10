#include "support/multiplex_answer.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "support/multiplex_frames.h"

namespace weir::tests::multiplex {

Answer::Answer(http::Response&& response) : response_{std::move(response)} {
    auto& content = response_.content();
    if (auto* view = std::get_if<std::string_view>(&content))
        bytes_ = *view;
    else if (auto* own = std::get_if<std::string>(&content))
        bytes_ = *own;
    else if (auto* range = std::get_if<http::FileRange>(&content))
        file_ = *range;
    else if (auto* source = std::get_if<std::unique_ptr<http::Source>>(&content))
        source_ = source->get();
}

Answer::State Answer::prepare() {
    if (!unsent_.empty() || !bytes_.empty() || file_.size != 0) return State::ready;
    if (source_ == nullptr) return State::at_end;
    return waits_for_wake_ ? State::not_ready : pull();
}

Answer::State Answer::pull() {
    pulled_.resize(payload_bytes_max);
    const auto pulled = source_->pull(pulled_);
    if (const auto* ready = std::get_if<http::Source::Ready>(&pulled)) {
        unsent_ = std::string_view{pulled_}.substr(0, ready->size);
        return State::ready;
    }
    if (const auto* file = std::get_if<http::Source::File>(&pulled)) {
        file_ = file->range;
        return file_.size != 0 ? State::ready : State::failed;
    }
    if (std::holds_alternative<http::Source::End>(pulled)) return State::at_end;
    if (std::holds_alternative<http::Source::Failed>(pulled)) return State::failed;
    waits_for_wake_ = true;
    return State::not_ready;
}

Answer::Piece Answer::take(std::size_t bytes_max) {
    Piece piece;
    if (file_.size != 0) {
        piece.file = {file_.fd, file_.offset, std::min<std::uint64_t>(file_.size, bytes_max)};
        file_.offset += piece.file.size;
        file_.size -= piece.file.size;
        return piece;
    }
    piece.stays = unsent_.empty();
    std::string_view& from = piece.stays ? bytes_ : unsent_;
    piece.bytes = from.substr(0, bytes_max);
    from.remove_prefix(piece.bytes.size());
    return piece;
}

void Answer::done(http::Outcome outcome) noexcept {
    if (http::Source* const source = std::exchange(source_, nullptr)) source->done(outcome);
}

}  // namespace weir::tests::multiplex
