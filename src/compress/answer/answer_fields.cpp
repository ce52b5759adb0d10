#include "compress/answer/answer_fields.h"

#include <algorithm>
#include <array>
#include <span>

#include "compress/answer/tags.h"
#include "http/syntax/field_lines.h"
#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"

namespace weir::compress {

using http::equals_ignoring_case;

namespace {

constexpr std::string_view vary_line = "Vary: Accept-Encoding\r\n";

bool is_one_of(std::span<const std::string_view> names, std::string_view name) noexcept {
    return std::ranges::any_of(names, [&](auto one) { return equals_ignoring_case(one, name); });
}

/// Content-Encoding, or a digest (RFC 9530 and older ones) of bytes that compression changes.
bool is_coding_or_digest(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 5> names{"Content-Encoding", "Content-Digest",
                                                    "Repr-Digest", "Digest", "Content-MD5"};
    return is_one_of(names, name);
}

/// RFC 9110 15.4.5: a 304 does not need these fields.
bool is_of_content(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 4> names{"Content-Type", "Content-Language",
                                                    "Content-Disposition", "Last-Modified"};
    return is_one_of(names, name);
}

void read_cache_control(AnswerFields& fields, std::string_view value) {
    http::for_each_member(value, [&](std::string_view member) {
        const std::string_view directive = trimmed(member.substr(0, member.find('=')));
        if (equals_ignoring_case(directive, "no-transform")) fields.no_transform = true;
        if (equals_ignoring_case(directive, "public")) fields.is_public = true;
        if (equals_ignoring_case(directive, "private") ||
            equals_ignoring_case(directive, "no-store"))
            fields.is_private = true;
    });
}

void read_vary(AnswerFields& fields, std::string_view value) {
    http::for_each_member(value, [&](std::string_view member) {
        if (member == "*" || equals_ignoring_case(member, "Accept-Encoding")) fields.varies = true;
    });
}

void read(AnswerFields& fields, std::string_view name, std::string_view value) {
    if (equals_ignoring_case(name, "Content-Type")) fields.content_type = value;
    if (equals_ignoring_case(name, "ETag")) fields.entity_tag = value;
    if (equals_ignoring_case(name, "Last-Modified")) fields.last_modified = value;
    if (equals_ignoring_case(name, "Set-Cookie")) fields.sets_cookie = true;
    if (equals_ignoring_case(name, "Cache-Control")) read_cache_control(fields, value);
    if (equals_ignoring_case(name, "Vary")) read_vary(fields, value);
    if (is_coding_or_digest(name)) fields.has_coding = true;
}

}  // namespace

AnswerFields fields_of(const http::Response& response) {
    AnswerFields fields;
    http::for_each_line(response, [&](std::string_view, std::string_view name,
                                      std::string_view value) { read(fields, name, value); });
    return fields;
}

std::string coded_fields(const http::Response& response, const AnswerFields& fields,
                         std::string_view token, Shape shape) {
    std::string lines;
    lines.reserve(response.prepared_fields().size() + response.own_fields().size() + 80);
    const auto take = [&](std::string_view line, std::string_view name, std::string_view value) {
        // Ranges are those of the uncompressed content.
        if (equals_ignoring_case(name, "Accept-Ranges")) return;
        if (shape == Shape::not_modified && is_of_content(name)) return;
        if (equals_ignoring_case(name, "ETag"))
            lines.append("ETag: ").append(coded_tag(value, token)).append("\r\n");
        else
            lines += line;
    };
    http::for_each_line(response, take);
    if (!fields.varies) lines += vary_line;
    if (shape == Shape::with_content)
        lines.append("Content-Encoding: ").append(token).append("\r\n");
    return lines;
}

void add_vary(http::Response& response, const AnswerFields& fields) {
    if (!fields.varies) response.add("Vary", "Accept-Encoding");
}

}  // namespace weir::compress
