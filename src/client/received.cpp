#include "client/received.h"

#include <cstddef>
#include <new>
#include <utility>

#include "weir/http/field_name.h"
#include "weir/http/status.h"

namespace weir::web::detail {

using upstream::Failure;

namespace {

constexpr std::size_t piece_bytes_max = std::size_t{64} * 1024;

/// Null if the content, if there is any, has no coding, or another one.
std::unique_ptr<ContentDecoder> decoder_for(const upstream::Answered& answer, http::Method method,
                                            const ContentDecoding* decoding) {
    const auto status = static_cast<http::Status>(answer.code);
    if (decoding == nullptr || method == http::Method::head || !http::may_have_content(status))
        return nullptr;
    std::string_view coding;
    for (const http::FieldLine& line : answer.index.fields) {
        const std::string_view name = line.name.in(answer.head.data());
        if (!http::equals_ignoring_case(name, "Content-Encoding")) continue;
        if (!coding.empty()) return nullptr;
        coding = line.value.in(answer.head.data());
    }
    return coding.empty() ? nullptr : decoding->decoder(coding);
}

}  // namespace

Received::Received(std::unique_ptr<Asking> of, std::uint64_t collects_max,
                   const ContentDecoding* decoding)
    : asking_{std::move(of)},
      url_{asking_->url().text()},
      bytes_max_{collects_max},
      decoder_{decoder_for(answer(), asking_->exchange().request().method, decoding)} {}

std::string_view Received::trailers() const noexcept {
    upstream::SharedExchange& exchange = asking_->exchange();
    return exchange.look().has_ended ? exchange.trailers() : std::string_view{};
}

bool Received::has_next() noexcept try {
    return decoder_ ? decode() : has_next_plain();
} catch (const std::bad_alloc&) {
    failure_ = Failure::out_of_memory;
    return true;
}

bool Received::has_next_plain() noexcept {
    const auto seen = asking_->exchange().look();
    return seen.has_bytes || seen.has_ended || seen.failure != Failure::none;
}

/// Decodes until there is a piece, an end or a failure. False if the server has to send more first.
bool Received::decode() {
    while (piece_.empty() && failure_ == Failure::none) {
        if (left_.empty() && !has_more_) {
            if (!has_next_plain()) return false;
            asking_->exchange().take(raw_);
            left_ = raw_;
            if (left_.empty()) return true;
        }
        using enum ContentDecoder::Result;
        const auto result = decoder_->decode(left_, piece_, piece_bytes_max);
        has_more_ = result == has_more;
        is_whole_ = result == ended;
        if (result == malformed) failure_ = Failure::malformed;
    }
    return true;
}

std::string_view Received::take() {
    upstream::SharedExchange& exchange = asking_->exchange();
    if (!decoder_) exchange.take(piece_);
    if (!piece_.empty()) return piece_;
    if (failure_ != Failure::none) throw asking_->error(failure_);
    const auto seen = exchange.look();
    if (!seen.has_ended) throw asking_->error(seen.failure);
    if (!is_whole_) throw asking_->error(Failure::malformed);
    return {};
}

}  // namespace weir::web::detail
