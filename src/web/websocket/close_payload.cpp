#include "web/websocket/close_payload.h"

#include <utility>

#include "http/syntax/utf8.h"
#include "web/websocket/protocol.h"

namespace weir::web::ws {
namespace {

constexpr std::size_t code_bytes = 2;

/// Shortens a text in UTF-8 without cutting a character.
std::string_view shortened(std::string_view text, std::size_t bytes_max) noexcept {
    if (text.size() <= bytes_max) return text;
    std::size_t size = bytes_max;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
    return text.substr(0, size);
}

}  // namespace

bool may_be_sent(CloseCode code) noexcept {
    const auto number = std::to_underlying(code);
    if (number >= 3000) return number < 5000;
    return (number >= 1000 && number <= 1003) || (number >= 1007 && number <= 1014);
}

bool read_close(std::string_view payload, ClosePayload& close) noexcept {
    if (payload.empty()) return true;
    close.code = CloseCode::protocol_error;
    if (payload.size() < code_bytes) return false;
    const auto high = static_cast<unsigned char>(payload[0]);
    const auto low = static_cast<unsigned char>(payload[1]);
    const auto said = static_cast<CloseCode>(high << 8U | low);
    if (!may_be_sent(said)) return false;
    const std::string_view reason = payload.substr(code_bytes);
    close.code = CloseCode::invalid_text;
    if (!http::is_utf8(reason)) return false;
    close = {.code = said, .reason = reason};
    return true;
}

std::string close_payload(CloseCode code, std::string_view reason) {
    std::string payload;
    if (code == CloseCode::none) return payload;
    payload += static_cast<char>(std::to_underlying(code) >> 8U);
    payload += static_cast<char>(std::to_underlying(code) & 0xffU);
    return payload.append(shortened(reason, control_bytes_max - code_bytes));
}

}  // namespace weir::web::ws
