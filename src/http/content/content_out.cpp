#include "http/content/content_out.h"

#include <utility>
#include <variant>

namespace weir::http {

ContentOut::ContentOut(Response& response, std::optional<std::uint64_t> announced)
    : owner_{std::move(response.owner())}, announced_left_{announced.value_or(unknown)} {
    Response::Content& content = response.content();
    if (auto* view = std::get_if<std::string_view>(&content)) {
        now_at_hand(*view);
    } else if (auto* own = std::get_if<std::string>(&content)) {
        text_ = std::move(*own);
        now_at_hand(text_);
    } else if (auto* range = std::get_if<FileRange>(&content)) {
        now_at_hand(*range);
    } else if (auto* source = std::get_if<std::unique_ptr<Source>>(&content)) {
        source_ = std::move(*source);
        has_source_ = source_ != nullptr;
        is_tunnel_ = has_source_ && source_->tunnel() != nullptr;
    }
}

bool ContentOut::ask_size(const UserCode& code) noexcept {
    std::optional<std::uint64_t> size;
    if (!code.ask_size(*source_, size)) return false;
    announced_left_ = size.value_or(unknown);
    return true;
}

void ContentOut::leave_out() noexcept {
    done(Outcome::sent);
    now_at_hand(std::string_view{});
}

void ContentOut::taken(std::uint64_t size) noexcept {
    if (is_file_)
        place_.offset += size;
    else
        place_.data += size;
    at_hand_ -= size;
}

Source::Pulled ContentOut::pull(const UserCode& code, std::span<char> into) {
    Source::Pulled pulled = code.pull(*source_, into);
    if (const auto* ready = std::get_if<Source::Ready>(&pulled)) {
        if (ready->size > into.size() || !fits(ready->size)) return Source::Failed{};
    } else if (const auto* file = std::get_if<Source::File>(&pulled)) {
        if (!fits(file->range.size)) return Source::Failed{};
        now_at_hand(file->range);
    } else if (std::holds_alternative<Source::End>(pulled) && announced_left_ != unknown) {
        return Source::Failed{};
    }
    return pulled;
}

bool ContentOut::fits(std::uint64_t size) noexcept {
    if (size == 0) return false;
    if (announced_left_ == unknown) return true;
    if (size > announced_left_) return false;
    announced_left_ -= size;
    return true;
}

std::size_t ContentOut::own_bytes() const noexcept {
    if (has_source_) return source_->bytes();
    return text_.capacity() > std::string{}.capacity() ? text_.capacity() : 0;
}

void ContentOut::done(Outcome outcome) noexcept {
    if (std::exchange(has_source_, false)) source_->done(outcome);
}

}  // namespace weir::http
