#include "http/hpack/field_section.h"

#include <algorithm>
#include <utility>

#include "http/hpack/connection_fields.h"
#include "http/syntax/byte_class.h"
#include "http/syntax/field_lines.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::http::http2 {
namespace {

/// RFC 9113 8.2.1: true for a token without upper-case letters.
bool is_small_token(std::string_view name) noexcept {
    return !name.empty() && std::ranges::all_of(name, [](char letter) {
        const auto byte = static_cast<unsigned char>(letter);
        return bytes::token.has_byte(byte) && byte - unsigned{'A'} >= 26;
    });
}

bool is_white(char byte) noexcept { return byte == ' ' || byte == '\t'; }

/// RFC 9113 8.2.1
bool has_white_ends(std::string_view value) noexcept {
    return !value.empty() && (is_white(value.front()) || is_white(value.back()));
}

/// Checks a trailer's value by RFC 9113 8.2.1. The parser checks the values of a head.
bool is_field_value(std::string_view value) noexcept {
    return !has_white_ends(value) && std::ranges::all_of(value, [](char byte) {
        return bytes::value.has_byte(static_cast<unsigned char>(byte));
    });
}

}  // namespace

void FieldSection::field(std::string_view name, std::string_view value, bool name_is_token) {
    if (malformed_ || too_long_) return;
    malformed_ = name.starts_with(':') ? !pseudo_field(name, value)
                                       : !regular_field(name, value, name_is_token);
    too_long_ = head_.size() + pseudo_.size() + cookies_.size() > limits_.head_bytes_max;
}

/// RFC 9113 8.3: pseudo-header fields come before all other fields, each at most once, and there
/// are no others than these.
bool FieldSection::pseudo_field(std::string_view name, std::string_view value) {
    const Pseudo which = is(name, ":path")        ? path
                         : is(name, ":method")    ? method
                         : is(name, ":scheme")    ? scheme
                         : is(name, ":authority") ? authority
                         : is(name, ":protocol")  ? protocol
                                                  : count;
    if (which == count || head_begun_ || has(which)) return false;
    seen_ |= 1u << which;
    begins_[which] = static_cast<std::uint32_t>(pseudo_.size());
    sizes_[which] = static_cast<std::uint32_t>(value.size());
    pseudo_ += value;
    return true;
}

bool FieldSection::regular_field(std::string_view name, std::string_view value,
                                 bool name_is_token) {
    if (!name_is_token && !is_small_token(name)) return false;
    if (has_white_ends(value) || is_of_connection(name)) return false;
    if (!head_begun_ && !begin_head()) return false;
    if (is(name, "te")) {
        if (!equals_ignoring_case(value, "trailers")) return false;
    } else if (is(name, "cookie")) {
        if (!cookies_.empty()) cookies_ += "; ";
        cookies_ += value;
        return true;
    } else if (is(name, "host") && has(authority)) {
        // RFC 9113 8.3.1: a Host that differs from :authority would name a second server.
        return !std::exchange(has_host_, true) && equals_ignoring_case(value, pseudo(authority));
    } else if (is(name, "priority")) {
        priority_ = read_priority(value);
    }
    line(name, value);
    return true;
}

void FieldSection::line(std::string_view name, std::string_view value) {
    append_line(head_, name, value);
    ++lines_;
}

/// RFC 9113 8.3.1 and 8.5. The parser checks the other rules.
bool FieldSection::is_target_good() const noexcept {
    if (!has(method)) return false;
    const bool is_connect = pseudo(method) == "CONNECT";
    if (has(protocol)) {  // RFC 8441 4
        if (!is_connect || !has(authority) || !is_token(pseudo(protocol))) return false;
    } else if (is_connect) {
        return has(authority) && !has(scheme) && !has(path);
    }
    if (pseudo(scheme) != "http" && pseudo(scheme) != "https") return false;
    return pseudo(path).starts_with('/') || pseudo(path) == "*";
}

bool FieldSection::begin_head() {
    head_begun_ = true;
    if (!is_target_good()) return false;
    const bool is_connect = !has(path);
    head_.append(sent_method()).append(" ").append(pseudo(is_connect ? authority : path));
    head_.append(" HTTP/1.1\r\n");
    if (has(authority)) line("host", pseudo(authority));
    if (!has(protocol)) return true;
    line("connection", "upgrade");
    line("upgrade", pseudo(protocol));
    return true;
}

FieldSection::Result FieldSection::fail(RequestSlot& slot, Fault fault) const noexcept {
    slot.framing.fault = fault;
    return Result::fault;
}

/// False if the parser read other lines than those that were written: a value may contain line
/// ends, and so add lines to the head or end it early.
bool FieldSection::matches_fields(const RequestSlot& slot) const noexcept {
    const Request& request = slot.request();
    return slot.head_size() == head_.size() && request.fields().size() == lines_ &&
           request.method_text() == sent_method() &&
           request.target() == pseudo(has(path) ? path : authority);
}

FieldSection::Result FieldSection::finish(RequestSlot& slot, Origin& origin, StreamId stream,
                                          bool ends) {
    if (too_long_) return fail(slot, Fault::head_too_long);
    if (malformed_ || (!head_begun_ && !begin_head())) return Result::malformed;
    if (!cookies_.empty()) line("cookie", cookies_);
    head_ += "\r\n";
    switch (slot.parse(head_, limits_)) {
        case HeadParser::Result::complete: break;
        case HeadParser::Result::fault: return fail(slot, slot.parser.fault());
        case HeadParser::Result::more: return Result::malformed;
    }
    if (!matches_fields(slot)) return Result::malformed;
    slot.interpret_framed(origin, stream, !ends && !has(protocol));
    // RFC 9113 8.1.1: a Content-Length above 0 is wrong if no content follows.
    if (ends && slot.framing.content_length != 0) return Result::malformed;
    return slot.framing.fault == Fault::none ? Result::good : Result::fault;
}

void TrailerSection::field(std::string_view name, std::string_view value, bool name_is_token) {
    if (malformed_ || too_long_) return;
    const bool is_name = name_is_token ? !name.starts_with(':') : is_small_token(name);
    malformed_ = !is_name || is_of_connection(name) || !is_field_value(value);
    if (malformed_) return;
    append_line(lines_, name, value);
    too_long_ = lines_.size() > limits_.trailer_bytes_max || ++count_ > limits_.fields_max;
}

}  // namespace weir::http::http2
