#include "weir/http/response.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "http/syntax/field_lines.h"
#include "http/syntax/singleton_fields.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"
#include "weir/http/tunnel.h"

namespace weir::http {

namespace {

bool is_field_value(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

/// Only the core sets the fields for framing and connection management. If a field had two
/// different values, a client could find the end of a response in the wrong place.
bool is_core_field(std::string_view name) {
    constexpr std::array<std::string_view, 5> own = {"Date", "Connection", "Content-Length",
                                                     "Transfer-Encoding", "Keep-Alive"};
    return std::ranges::any_of(own, [&](auto field) { return equals_ignoring_case(field, name); });
}

bool has_line(std::string_view lines, std::string_view name) {
    bool found = false;
    for_each_line(lines, [&](std::string_view, std::string_view own, std::string_view) {
        found = found || equals_ignoring_case(own, name);
    });
    return found;
}

std::string without(std::string_view lines, std::string_view name) {
    std::string rest;
    for_each_line(lines, [&](std::string_view line, std::string_view own, std::string_view) {
        if (!equals_ignoring_case(own, name)) rest += line;
    });
    return rest;
}

}  // namespace

Response& Response::add(std::string_view name, std::string_view value) & {
    if (!is_token(name)) throw std::invalid_argument{"a field name must be a token"};
    if (!is_field_value(value))
        throw std::invalid_argument{"a field value has a control character"};
    if (is_core_field(name)) throw std::invalid_argument{"this field is set by the server itself"};
    if ((!fields_.empty() || !prepared_fields_.empty()) && is_singleton(name)) drop(name);
    constexpr std::size_t punctuation = 4;
    fields_.reserve(fields_.size() + name.size() + value.size() + punctuation);
    fields_.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

/// Prepared lines are borrowed: to remove one of them, the response copies the others.
void Response::drop(std::string_view name) {
    if (has_line(fields_, name)) fields_ = without(fields_, name);
    if (!has_line(prepared_fields_, name)) return;
    fields_.insert(0, without(prepared_fields_, name));
    prepared_fields_ = prepared_block_ = {};
}

/// The response can borrow one piece only, so it copies lines that were prepared earlier.
void Response::drop_own_singletons(std::string_view prepared) {
    fields_.insert(0, std::exchange(prepared_fields_, {}));
    for_each_line(prepared, [this](std::string_view, std::string_view name, std::string_view) {
        if (is_singleton(name) && has_line(fields_, name)) fields_ = without(fields_, name);
    });
}

Response&& Response::add(std::string_view name, std::string_view value) && {
    return std::move(add(name, value));
}

/// HTTP/2 omits both fields.
Response& Response::offer_upgrade(std::string_view protocol) & {
    add("Upgrade", protocol);
    fields_.append("Connection: Upgrade\r\n");
    return *this;
}

Response& Response::upgrade(std::string_view protocol, std::unique_ptr<Tunnel> tunnel) & {
    offer_upgrade(protocol);
    status_ = Status::switching_protocols;
    content_ = std::unique_ptr<Source>{std::move(tunnel)};
    return *this;
}

}  // namespace weir::http
