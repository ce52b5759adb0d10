#include "access/proxies/hops.h"

#include <algorithm>

#include "access/request/client.h"
#include "base/trimmed.h"
#include "http/syntax/field_list.h"
#include "http/syntax/token.h"

namespace weir::access {
namespace {

using Kind = Hop::Kind;

bool is_port(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 5 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Refuses the zone of an address in this machine's network (RFC 4007 11): no client's address has
/// one.
Hop address(std::string_view text) noexcept {
    if (text.contains('%')) return {};
    const auto kind = Client::parse(text).kind;
    const bool is_address = kind == Client::Kind::ipv4 || kind == Client::Kind::ipv6;
    return is_address ? Hop{.kind = Kind::address, .address = text} : Hop{};
}

/// An address, in brackets if it is IPv6, with or without a port (RFC 7239 6).
Hop read_node(std::string_view node) noexcept {
    if (node.starts_with('[')) {
        const auto end = node.find(']');
        if (end == node.npos) return {};
        const auto rest = node.substr(end + 1);
        if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return {};
        const auto inner = node.substr(1, end - 1);
        return inner.contains(':') ? address(inner) : Hop{};
    }
    const auto colon = node.find(':');
    if (colon == node.npos) return address(node);
    return is_port(node.substr(colon + 1)) ? address(node.substr(0, colon)) : Hop{};
}

/// "unknown", or an underscore and more (RFC 7239 6.2 and 6.3).
bool is_hidden(std::string_view node) noexcept {
    const auto name = node.substr(0, node.find(':'));
    return http::equals_ignoring_case(name, "unknown") || name.starts_with('_');
}

/// Removes the quotation marks. An address needs no backslash, so none is decoded.
std::optional<std::string_view> unquoted(std::string_view value) noexcept {
    if (!value.starts_with('"')) return http::is_token(value) ? std::optional{value} : std::nullopt;
    if (value.size() < 2 || !value.ends_with('"')) return std::nullopt;
    value = value.substr(1, value.size() - 2);
    return value.contains('"') ? std::nullopt : std::optional{value};
}

/// Calls `visit(pair)` for each "name=value" of an element, until it returns false.
template <typename Visit>
void for_each_pair(std::string_view element, Visit visit) {
    for (;;) {
        bool quoted = false;
        std::size_t end = 0;
        for (; end < element.size() && (quoted || element[end] != ';'); ++end)
            if (element[end] == '"') quoted = !quoted;
        if (!visit(trimmed(element.substr(0, end))) || end == element.size()) return;
        element.remove_prefix(end + 1);
    }
}

}  // namespace

Hop read_x_forwarded_for(std::string_view element) noexcept {
    if (is_hidden(element)) return {.kind = Kind::unnamed};
    if (!element.starts_with('[') && std::ranges::count(element, ':') > 1) return address(element);
    return read_node(element);
}

Hop read_forwarded(std::string_view element) noexcept {
    Hop found{.kind = Kind::unnamed};  // "for" may be left out (RFC 7239 5.2)
    bool has_for = false;
    std::string_view scheme;
    for_each_pair(element, [&](std::string_view pair) {
        const auto sign = std::min(pair.find('='), pair.size());
        const auto name = pair.substr(0, sign);
        const auto value = sign == pair.size() ? std::nullopt : unquoted(pair.substr(sign + 1));
        const bool is_for = http::equals_ignoring_case(name, "for");
        if (!http::is_token(name) || !value || (is_for && has_for)) {
            found = {};
            return false;
        }
        if (http::equals_ignoring_case(name, "proto")) scheme = *value;
        if (is_for) {
            has_for = true;
            found = is_hidden(*value) ? Hop{.kind = Kind::unnamed} : read_node(*value);
        }
        return found.kind != Kind::malformed;
    });
    found.scheme = scheme;
    return found;
}

std::string_view x_forwarded_proto(const http::Request& request) noexcept {
    std::string_view value;
    for (const http::FieldLine& line : request.fields()) {
        if (line.id != http::FieldName::other ||
            !http::equals_ignoring_case(request.name_of(line), "x-forwarded-proto"))
            continue;
        if (!value.empty()) return {};
        value = request.value_of(line);
    }
    return value;
}

Hops::Hops(const http::Request& request, ForwardedField field) noexcept : field_{field} {
    const std::string_view name =
        field == ForwardedField::forwarded ? "forwarded" : "x-forwarded-for";
    for (const http::FieldLine& line : request.fields())
        if (line.id == http::FieldName::other &&
            http::equals_ignoring_case(request.name_of(line), name))
            add(request.value_of(line));
    left_ = std::min(added_, max);
}

void Hops::add(std::string_view list) noexcept {
    http::for_each_member(list,
                          [&](std::string_view element) { elements_[added_++ % max] = element; });
}

std::optional<Hop> Hops::next() noexcept {
    if (left_ == 0) return std::nullopt;
    --left_;
    const std::string_view element = elements_[--added_ % max];
    return field_ == ForwardedField::forwarded ? read_forwarded(element)
                                               : read_x_forwarded_for(element);
}

}  // namespace weir::access
