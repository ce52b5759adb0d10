#include "http/content/content_out.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "weir/http/tunnel.h"

namespace weir::http {

ContentOut::ContentOut(Response& response, std::optional<std::uint64_t> announced)
    : content_{std::move(response.content())},
      owner_{std::move(response.owner())},
      announced_left_{announced} {
    if (auto* view = std::get_if<std::string_view>(&content_))
        bytes_ = *view;
    else if (auto* own = std::get_if<std::string>(&content_))
        bytes_ = *own;
    else if (auto* range = std::get_if<FileRange>(&content_))
        file_ = *range;
    else if (auto* source = std::get_if<std::unique_ptr<Source>>(&content_))
        source_ = source->get();
    if (source_ != nullptr) tunnel_ = source_->tunnel();
}

void ContentOut::leave_out() noexcept {
    done(Outcome::sent);
    bytes_ = {};
    file_ = {};
}

void ContentOut::taken(std::uint64_t size) noexcept {
    const auto of_bytes = std::min<std::uint64_t>(size, bytes_.size());
    bytes_.remove_prefix(of_bytes);
    file_.offset += size - of_bytes;
    file_.size -= size - of_bytes;
}

Source::Pulled ContentOut::pull(const UserCode& code, std::span<char> into) {
    Source::Pulled pulled = code.pull(*source_, into);
    if (const auto* ready = std::get_if<Source::Ready>(&pulled)) {
        if (ready->size > into.size() || !fits(ready->size)) return Source::Failed{};
    } else if (const auto* file = std::get_if<Source::File>(&pulled)) {
        if (!fits(file->range.size)) return Source::Failed{};
        file_ = file->range;
    } else if (std::holds_alternative<Source::End>(pulled) && announced_left_) {
        return Source::Failed{};
    }
    return pulled;
}

bool ContentOut::fits(std::uint64_t size) noexcept {
    if (size == 0) return false;
    if (!announced_left_) return true;
    if (size > *announced_left_) return false;
    *announced_left_ -= size;
    return true;
}

std::size_t ContentOut::own_bytes() const noexcept {
    if (source_ != nullptr) return source_->bytes();
    const auto* const own = std::get_if<std::string>(&content_);
    return own != nullptr ? own->capacity() : 0;
}

void ContentOut::done(Outcome outcome) noexcept {
    if (Source* const source = std::exchange(source_, nullptr)) source->done(outcome);
}

}  // namespace weir::http
