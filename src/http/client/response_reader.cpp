#include <algorithm>
#include <charconv>
#include <utility>

#include "http/client/client_connection.h"
#include "http/client/white_space.h"

namespace weir::http::client {
namespace {

using std::chrono::milliseconds;

/// True if the head of a response is beyond the limits, and not malformed.
bool is_too_large(Fault fault) noexcept {
    switch (fault) {
        case Fault::request_line_too_long:
        case Fault::field_line_too_long:
        case Fault::head_too_long:
        case Fault::too_many_fields:
        case Fault::trailers_too_long: return true;
        default: return false;
    }
}

/// RFC 9112 5.1 and 5.2: the receiver of a response mends these.
bool is_white_space(Fault fault) noexcept {
    return fault == Fault::white_space_before_colon || fault == Fault::obsolete_line_folding;
}

}  // namespace

/// Returns the bytes that follow the head.
std::string_view ClientConnection::take_head(std::string_view bytes, Now now) {
    if (!early_.empty()) early_ += bytes;
    auto result = head_.parse(early_.empty() ? bytes : std::string_view{early_}, limits_);
    if (result == HeadParser::Result::fault && is_white_space(head_.fault()))
        result = parse_with_mended_white_space(bytes);
    const std::string_view head = early_.empty() ? bytes : std::string_view{early_};
    switch (result) {
        case HeadParser::Result::more:
            if (early_.empty()) early_ = bytes;
            return {};
        case HeadParser::Result::fault:
            close(is_too_large(head_.fault()) ? Failure::too_large : Failure::malformed);
            return {};
        case HeadParser::Result::complete: break;
    }
    const std::size_t left = head.size() - head_.size();
    if (head_.is_interim() && head_.code() != 101)
        take_interim(head.data(), now);
    else
        take_final(head.data(), now);
    return bytes.substr(bytes.size() - left);
}

/// Few servers send it, so the head is read once more. Keeps it in early_.
HeadParser::Result ClientConnection::parse_with_mended_white_space(std::string_view bytes) {
    if (early_.empty()) early_ = bytes;
    const bool is_clear = mend_white_space(early_);
    if (early_.size() > limits_.head_bytes_max && !is_clear) return HeadParser::Result::fault;
    head_.reset();
    return is_clear ? head_.parse(early_, limits_) : HeadParser::Result::more;
}

/// Any number of them may come before the response (RFC 9110 15.2).
void ClientConnection::take_interim(const char* head, Now now) {
    if (head_.code() == 100)
        content_from_ = now.instant;
    else
        exchange_->hint({.head = {head, head_.size()},
                         .index = head_.index(),
                         .code = head_.code(),
                         .content_length = {},
                         .is_tunnel = false});
    head_.reset();
    early_.clear();
}

void ClientConnection::take_final(const char* head, Now now) {
    using enum ResponseFraming::Content;
    framing_ = head_.framing(head, exchange_->request().method);
    const bool is_wrong_tunnel = framing_.content == tunnel && !exchange_->request().upgrades;
    if (framing_.fault != Fault::none || is_wrong_tunnel) return close(Failure::malformed);
    note_keep_alive(head);
    Answered answered{.head = {head, head_.size()},
                      .index = head_.index(),
                      .code = head_.code(),
                      .content_length = {},
                      .is_tunnel = framing_.content == tunnel};
    if (framing_.content == sized) answered.content_length = framing_.content_length;
    if (framing_.content == none) answered.content_length = 0;
    if (framing_.content == none) offer();
    exchange_->answer(std::move(answered));
    early_.clear();
    due_ = never;
    phase_ = framing_.content == tunnel ? Phase::tunnel : Phase::content;
    content_left_ = framing_.content_length;
    if (framing_.content == tunnel) request_.begin_tunnel();
    if (framing_.content == none) end_exchange({}, now);
}

/// Returns the bytes that follow the content.
std::string_view ClientConnection::take_content(std::string_view bytes, Now now) {
    if (framing_.content == ResponseFraming::Content::chunked) return take_chunks(bytes, now);
    if (framing_.content == ResponseFraming::Content::until_close) {
        exchange_->deliver(bytes);
        return {};
    }
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(content_left_, bytes.size()));
    if (size == content_left_) offer();
    exchange_->deliver(bytes.substr(0, size));
    content_left_ -= size;
    if (content_left_ == 0) end_exchange({}, now);
    return bytes.substr(size);
}

std::string_view ClientConnection::take_chunks(std::string_view bytes, Now now) {
    const auto decoded = chunks_.decode(bytes, limits_);
    switch (decoded.result) {
        case ChunkedDecoder::Result::more: break;
        case ChunkedDecoder::Result::data: exchange_->deliver(decoded.data); break;
        case ChunkedDecoder::Result::complete: end_exchange(chunks_.take_trailers(), now); break;
        case ChunkedDecoder::Result::fault: close(Failure::malformed); break;
    }
    return bytes.substr(decoded.consumed);
}

/// "Keep-Alive: timeout=5" (RFC 2068 19.7.1.1): the server closes after that time. A second less
/// leaves time for a request to arrive before.
void ClientConnection::note_keep_alive(const char* head) noexcept {
    for (const FieldLine& line : head_.index().fields) {
        if (line.id != FieldName::other) continue;
        if (!equals_ignoring_case(line.name.in(head), "keep-alive")) continue;
        const std::string_view value = line.value.in(head);
        constexpr std::string_view timeout = "timeout=";
        const std::size_t at = value.find(timeout);
        unsigned seconds = 0;
        if (at == value.npos) continue;
        const char* const digits = value.data() + at + timeout.size();
        if (std::from_chars(digits, value.data() + value.size(), seconds).ec != std::errc{})
            continue;
        const milliseconds promised{1000LL * std::max(seconds, 1U) - 1000};
        if (timeouts_.keep_alive == timeouts_.keep_alive.zero() || promised < timeouts_.keep_alive)
            keep_alive_ = std::max(promised, milliseconds{1});
    }
}

}  // namespace weir::http::client
