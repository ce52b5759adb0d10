#include "http/head/framing.h"

#include <cstddef>
#include <string_view>

#include "base/trimmed.h"
#include "http/syntax/authority.h"
#include "http/syntax/field_list.h"
#include "http/syntax/token.h"

namespace weir::http {
namespace {

/// Calls visit(value) for each line with that name.
template <typename Visit>
void each_line(const char* head, const HeadIndex& index, FieldName name, Visit visit) {
    const std::size_t first = index.first[static_cast<std::size_t>(name)];
    if (first == 0) return;
    for (std::size_t i = first - 1; i < index.fields.size(); ++i)
        if (index.fields[i].id == name) visit(index.fields[i].value.in(head));
}

/// Calls visit(element) for each element of each line with that name, also for empty elements.
template <typename Visit>
void each_element(const char* head, const HeadIndex& index, FieldName name, Visit visit) {
    each_line(head, index, name, [&](std::string_view value) { for_each_element(value, visit); });
}

/// RFC 9112 3.2. Checks Host even if the target names the host: a proxy in front of the server may
/// have used Host.
Fault read_host(const char* head, HeadIndex& index, LastHost& last) noexcept {
    const FieldLine* host = index.find(FieldName::host);
    if (host == nullptr) return index.minor_version == 0 ? Fault::none : Fault::missing_host;
    if (index.is_repeated(FieldName::host)) return Fault::duplicate_host;

    const std::string_view value = host->value.in(head);
    const bool of_target =
        index.form == TargetForm::absolute || index.form == TargetForm::authority;
    if (!of_target) index.authority = host->value;
    // A client sends an empty Host if its target URI has no authority. An absolute target has one.
    if (value.empty()) return of_target ? Fault::malformed_host : Fault::none;
    if (last.is(value)) return Fault::none;
    if (!is_authority(value, Port::optional)) return Fault::malformed_host;
    last.note(value);
    return Fault::none;
}

/// Refuses all repeats of the field. RFC 9112 6.3 lets a server accept identical ones, but honest
/// clients don't send them, and other parsers may read them in another way.
Fault read_content_length(const char* head, const HeadIndex& index, Framing& framing) noexcept {
    const FieldLine* line = index.find(FieldName::content_length);
    if (line == nullptr) return Fault::none;
    if (index.is_repeated(FieldName::content_length)) return Fault::conflicting_content_length;

    constexpr std::uint64_t length_max = (std::uint64_t{1} << 63) - 1;
    const std::string_view text = line->value.in(head);
    if (text.empty()) return Fault::malformed_content_length;
    std::uint64_t length = 0;
    for (const char byte : text) {
        const std::uint64_t digit = static_cast<unsigned char>(byte) - std::uint64_t{'0'};
        if (digit > 9 || length > (length_max - digit) / 10) return Fault::malformed_content_length;
        length = length * 10 + digit;
    }
    framing.content_length = length;
    if (length != 0) framing.content = Framing::Content::sized;
    return Fault::none;
}

/// RFC 9112 6.1 and 6.3. The server knows no coding but chunked, and chunked must be the last one.
/// So it must be the only one.
Fault read_transfer_encoding(const char* head, const HeadIndex& index, Framing& framing) noexcept {
    if (index.minor_version == 0) return Fault::transfer_encoding_in_http_1_0;
    if (index.find(FieldName::content_length) != nullptr)
        return Fault::content_length_with_transfer_encoding;

    bool chunked = false;
    bool unknown = false;
    bool malformed = false;
    each_element(head, index, FieldName::transfer_encoding, [&](std::string_view element) {
        if (chunked) malformed = true;  // something after chunked, or chunked twice
        const std::string_view coding = trimmed(element.substr(0, element.find(';')));
        if (!is_token(coding)) malformed = true;  // also empty elements: attackers hide codings so
        if (equals_ignoring_case(coding, "chunked")) {
            chunked = true;
            if (coding.size() != element.size()) malformed = true;  // RFC 9112 7.1: no parameters
        } else {
            unknown = true;
        }
    });
    if (malformed) return Fault::malformed_transfer_encoding;
    if (unknown) return Fault::unknown_transfer_coding;
    framing.content = Framing::Content::chunked;
    return Fault::none;
}

/// Calls visit(option) for each option in each line of Connection. Options are tokens and contain
/// no quotes (RFC 9110 7.6.1). A stray quote must not hide the `close` behind it.
template <typename Visit>
void each_connection_option(const char* head, const HeadIndex& index, Visit visit) {
    each_line(head, index, FieldName::connection, [&](std::string_view value) {
        for (;;) {
            const std::size_t comma = value.find(',');
            visit(trimmed(value.substr(0, comma)));
            if (comma == value.npos) return;
            value.remove_prefix(comma + 1);
        }
    });
}

/// RFC 9112 9.3
[[gnu::noinline]] bool read_connection_options(const char* head, const HeadIndex& index) noexcept {
    bool close = false;
    bool keep_alive = index.minor_version != 0;
    each_connection_option(head, index, [&](std::string_view option) {
        close = close || equals_ignoring_case(option, "close");
        keep_alive = keep_alive || equals_ignoring_case(option, "keep-alive");
    });
    return keep_alive && !close;
}

bool read_persistence(const char* head, const HeadIndex& index) noexcept {
    const FieldLine* const line = index.find(FieldName::connection);
    if (line == nullptr) return index.minor_version != 0;
    // Nearly all browsers send this value. The list below would give the same result.
    if (line->value.in(head) == "keep-alive" && !index.is_repeated(FieldName::connection))
        return true;
    return read_connection_options(head, index);
}

/// RFC 9110 10.1.1: a server ignores Expect in HTTP/1.0. Empty elements say nothing (5.6.1.2).
Fault read_expectation(const char* head, const HeadIndex& index, Framing& framing) noexcept {
    if (index.find(FieldName::expect) == nullptr || index.minor_version == 0) return Fault::none;
    bool unknown = false;
    each_element(head, index, FieldName::expect, [&](std::string_view expectation) {
        if (equals_ignoring_case(expectation, "100-continue"))
            framing.expects_continue = true;
        else if (!expectation.empty())
            unknown = true;
    });
    return unknown ? Fault::unknown_expectation : Fault::none;
}

/// True if the head has a field about content.
bool announces_content(const HeadIndex& index) noexcept {
    return index.has(FieldName::content_length) || index.has(FieldName::transfer_encoding) ||
           index.has(FieldName::expect);
}

/// RFC 9112 6.3: a transfer coding goes before a length.
Fault read_length(const char* head, const HeadIndex& index, Framing& framing) noexcept {
    return index.has(FieldName::transfer_encoding) ? read_transfer_encoding(head, index, framing)
                                                   : read_content_length(head, index, framing);
}

[[gnu::noinline]] void read_content_framing(const char* head, const HeadIndex& index,
                                            Framing& framing) noexcept {
    framing.fault = read_length(head, index, framing);
    if (framing.fault != Fault::none) return;
    framing.fault = read_expectation(head, index, framing);
}

}  // namespace

Framing framing_of(const char* head, HeadIndex& index, LastHost& last_host) noexcept {
    Framing framing;
    framing.keep_alive = read_persistence(head, index);
    framing.fault = read_host(head, index, last_host);
    if (framing.fault == Fault::none && announces_content(index))
        read_content_framing(head, index, framing);
    return framing;
}

Framing content_framing_of(const char* head, const HeadIndex& index) noexcept {
    Framing framing;
    framing.fault = read_length(head, index, framing);
    return framing;
}

bool keeps_alive(const char* head, const HeadIndex& index) noexcept {
    return read_persistence(head, index);
}

}  // namespace weir::http
