#pragma once

#include <cstring>
#include <string_view>

#include "http/head/byte_class.h"
#include "http/head/head_states.h"
#include "http/head/head_walk.h"
#include "http/head/runs.h"
#include "weir/http/method.h"

/// Nearly all heads are written in one way: `GET /path?query HTTP/1.1`, then lines of `name: value`.
/// Where that has arrived whole, it is read here, a line at a time; all else is left to the walk by
/// the table, which would come to the same. What is taken for granted here is held to the table:
namespace weir::http {

static_assert(leads(State::start, bytes::token, State::method, Action::begin_method));
static_assert(leads(State::method, bytes::token, State::method, Action::none));
static_assert(leads(State::method, bytes::space, State::target, Action::end_method));
static_assert(leads(State::target, bytes::slash, State::path, Action::begin_origin));
static_assert(leads(State::path, bytes::path_bytes, State::path, Action::none));
static_assert(leads(State::path, bytes::question, State::query, Action::begin_query));
static_assert(leads(State::query, bytes::query_bytes, State::query, Action::none));
static_assert(walked(State::path, " HTTP/1.1\r\n") == State::line);
static_assert(walked(State::query, " HTTP/1.1\r\n") == State::line);

static_assert(leads(State::line, bytes::token, State::field_name, Action::begin_name));
static_assert(leads(State::field_name, bytes::token, State::field_name, Action::none));
static_assert(leads(State::field_name, bytes::colon, State::before_value, Action::end_name));
static_assert(leads(State::before_value, bytes::space, State::before_value, Action::none));
static_assert(leads(State::before_value, bytes::value - bytes::white, State::field_value,
                    Action::begin_value));
static_assert(leads(State::field_value, bytes::value, State::field_value, Action::none));
static_assert(leads(State::field_value, bytes::cr, State::field_lf, Action::end_value));
static_assert(leads(State::field_lf, bytes::lf, State::line, Action::none));
static_assert(walked(State::line, "\r\n") == State::complete);
static_assert((bytes::token | bytes::colon | bytes::space | bytes::value) == bytes::value);

/// Whether `text` stands at `at`; what is there ends at `end`.
constexpr bool stands_at(const char* at, const char* end, std::string_view text) noexcept {
    return end - at >= static_cast<std::ptrdiff_t>(text.size()) &&
           std::memcmp(at, text.data(), text.size()) == 0;
}

/// Of a value's bytes, all but white space are. No control character is.
constexpr bool is_beyond_space(char byte) noexcept {
    return static_cast<unsigned char>(byte) > ' ';
}

/// In State::start. False where the line is any other: nothing is done then.
template <typename Runs>
bool take_plain_request_line(HeadWalk& walk) noexcept {
    constexpr std::string_view version_and_end = " HTTP/1.1\r\n";
    const char* const begin = walk.begin;
    const char* const stop = walk.stop;
    const char* const method_end = Runs::template skip<bytes::token>(begin, stop, begin);
    if (method_end == begin || !stands_at(method_end, stop, " /")) return false;

    const char* const path = method_end + 1;
    const char* const path_end = Runs::template skip<bytes::path_bytes>(path, stop, begin);
    const bool has_query = stands_at(path_end, stop, "?");
    const char* const target_end =
        has_query ? Runs::template skip<bytes::query_bytes>(path_end + 1, stop, begin) : path_end;
    if (!stands_at(target_end, stop, version_and_end)) return false;

    const Method method = method_from({begin, method_end});
    if (method == Method::connect) return false;
    HeadIndex& index = walk.index;
    index.method = method;
    index.method_text = walk.stretch(begin, method_end);
    index.target = walk.stretch(path, target_end);
    index.path = walk.stretch(path, path_end);
    if (has_query) index.query = walk.stretch(path_end + 1, target_end);
    walk.at = target_end + version_and_end.size();
    return true;
}

/// In State::line. Whole lines, up to one that is any other. True where the head's end was passed.
template <typename Runs>
bool take_plain_field_lines(HeadWalk& walk) noexcept {
    if (walk.end - walk.begin < Runs::bytes_min) return false;
    constexpr std::string_view line_end_text = "\r\n";
    RunEnds<Runs, bytes::value> line_ends{walk.at, walk.end};
    while (walk.has_room_for_a_field()) {
        const char* const line = walk.at;
        const char* const name_end = Runs::template skip<bytes::token>(line, walk.end, walk.begin);
        if (name_end == line) {
            if (!stands_at(line, walk.end, line_end_text)) return false;
            walk.at += line_end_text.size();
            return true;
        }
        const char* const line_end = line_ends.next();
        if (!stands_at(line_end, walk.end, line_end_text)) return false;
        if (line_end - line > walk.limits.field_line_bytes_max) return false;
        // None of these looks at a byte behind the CRLF, which has no colon, and is not beyond space.
        if (std::memcmp(name_end, ": ", 2) != 0) return false;
        const char* const value = name_end + 2;
        if (!is_beyond_space(*value) || !is_beyond_space(line_end[-1])) return false;
        walk.add_field({line, name_end}, {value, line_end});
        walk.at = line_end + line_end_text.size();
    }
    return false;
}

}  // namespace weir::http
