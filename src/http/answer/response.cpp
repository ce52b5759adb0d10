#include "weir/http/response.h"

#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "http/syntax/field_lines.h"
#include "http/syntax/name_list.h"
#include "http/syntax/singleton_fields.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"
#include "weir/http/tunnel.h"

namespace weir::http {

namespace {

/// Only the core sets the fields for framing and connection management. If a field had two
/// different values, a client could find the end of a response in the wrong place.
bool is_core_field(std::string_view name) {
    constexpr std::array<std::string_view, 5> own = {"Date", "Connection", "Content-Length",
                                                     "Transfer-Encoding", "Keep-Alive"};
    return is_one_of(name, own);
}

std::optional<std::string_view> value_in(std::string_view lines, std::string_view name) noexcept {
    std::optional<std::string_view> found;
    for_each_line(lines, [&](std::string_view, std::string_view own, std::string_view value) {
        if (!found && equals_ignoring_case(own, name)) found = value;
    });
    return found;
}

bool has_line(std::string_view lines, std::string_view name) noexcept {
    return value_in(lines, name).has_value();
}

bool is_within(std::string_view part, std::string_view whole) noexcept {
    constexpr std::less_equal<> less_equal;
    return less_equal(whole.data(), part.data()) &&
           less_equal(part.data(), whole.data() + whole.size());
}

void check(std::string_view name, std::string_view value) {
    if (!is_token(name)) throw std::invalid_argument{"a field name must be a token"};
    if (!is_field_value(value))
        throw std::invalid_argument{"a field value has a control character"};
    if (is_core_field(name)) throw std::invalid_argument{"this field is set by the server itself"};
}

std::string without(std::string_view lines, std::string_view name) {
    std::string rest;
    for_each_line(lines, [&](std::string_view line, std::string_view own, std::string_view) {
        if (!equals_ignoring_case(own, name)) rest += line;
    });
    return rest;
}

}  // namespace

// The value may be that of another line, from get().

Response& Response::add(std::string_view name, std::string_view value) & {
    if (is_within(value, fields_)) return add(name, std::string{value});
    check(name, value);
    if ((!fields_.empty() || !prepared_fields_.empty()) && is_singleton(name)) drop(name);
    put(name, value);
    return *this;
}

Response& Response::set(std::string_view name, std::string_view value) & {
    if (is_within(value, fields_)) return set(name, std::string{value});
    check(name, value);
    drop(name);
    put(name, value);
    return *this;
}

Response& Response::append(std::string_view name, std::string_view member) & {
    if (is_within(member, fields_)) return append(name, std::string{member});
    check(name, member);
    if (has_line(prepared_fields_, name)) own_prepared();
    std::size_t end = 0;  // of the last line's value
    bool is_empty = false;
    for_each_line(
        fields_, [&](std::string_view line, std::string_view own, std::string_view value) {
            if (!equals_ignoring_case(own, name)) return;
            constexpr std::size_t crlf = 2;
            end = static_cast<std::size_t>(line.data() - fields_.data()) + line.size() - crlf;
            is_empty = value.empty();
        });
    if (end == 0)
        put(name, member);
    else
        fields_.insert(end, std::string{is_empty ? "" : ", "}.append(member));
    return *this;
}

Response& Response::remove(std::string_view name) & {
    if (!is_core_field(name)) drop(name);
    return *this;
}

std::optional<std::string_view> Response::get(std::string_view name) const noexcept {
    const auto prepared = value_in(prepared_fields_, name);
    return prepared ? prepared : value_in(fields_, name);
}

void Response::put(std::string_view name, std::string_view value) {
    constexpr std::size_t punctuation = 4;
    fields_.reserve(fields_.size() + name.size() + value.size() + punctuation);
    append_line(fields_, name, value);
}

void Response::own_prepared() {
    fields_.insert(0, prepared_fields_);
    prepared_fields_ = prepared_block_ = {};
}

/// Prepared lines are borrowed: to remove one of them, the response copies the others.
void Response::drop(std::string_view name) {
    if (has_line(prepared_fields_, name)) own_prepared();
    if (has_line(fields_, name)) fields_ = without(fields_, name);
}

/// The response can borrow one piece only, so it copies lines that were prepared earlier.
void Response::drop_own_singletons(std::string_view prepared) {
    own_prepared();
    for_each_line(prepared, [this](std::string_view, std::string_view name, std::string_view) {
        if (is_singleton(name) && has_line(fields_, name)) fields_ = without(fields_, name);
    });
}

Response&& Response::add(std::string_view name, std::string_view value) && {
    return std::move(add(name, value));
}
Response&& Response::set(std::string_view name, std::string_view value) && {
    return std::move(set(name, value));
}
Response&& Response::append(std::string_view name, std::string_view member) && {
    return std::move(append(name, member));
}
Response&& Response::remove(std::string_view name) && { return std::move(remove(name)); }

/// HTTP/2 omits both fields.
Response& Response::offer_upgrade(std::string_view protocol) & {
    add("Upgrade", protocol);
    fields_.append("Connection: Upgrade\r\n");
    return *this;
}

Response& Response::upgrade(std::string_view protocol, std::unique_ptr<Tunnel> tunnel) & {
    offer_upgrade(protocol);
    word_.status = Status::switching_protocols;
    content_ = std::unique_ptr<Source>{std::move(tunnel)};
    return *this;
}

}  // namespace weir::http
