#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "http/head/head_states.h"
#include "http/head/head_walk.h"
#include "http/head/runs.h"
#include "http/syntax/byte_class.h"
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

/// How far a plain head, or the plain lines at its beginning, were read.
struct PlainHead {
    State state;     // start: nothing was; line: up to a line of any other kind; complete
    const char* at;  // behind what was read
};

/// Whether `text` stands at `at`; what is there ends at `end`.
constexpr bool stands_at(const char* at, const char* end, std::string_view text) noexcept {
    return end - at >= static_cast<std::ptrdiff_t>(text.size()) &&
           std::memcmp(at, text.data(), text.size()) == 0;
}

/// Of a value's bytes, all but white space are. No control character is.
constexpr bool is_beyond_space(char byte) noexcept {
    return static_cast<unsigned char>(byte) > ' ';
}

inline constexpr std::string_view plain_line_end = "\r\n";

/// One call of the parser: the head begins at `begin`; nothing behind `end` is read.
template <typename Runs>
class PlainHeadReader {
   public:
    PlainHeadReader(std::string_view bytes, HeadIndex& index, const Limits& limits) noexcept
        : index_{index},
          limits_{limits},
          begin_{bytes.data()},
          end_{bytes.data() + std::min<std::size_t>(bytes.size(), limits.head_bytes_max)} {}

    /// Goes on at `at`, in State::start or State::line.
    PlainHead read(State state, const char* at) {
        if (end_ - begin_ < Runs::bytes_min) return {state, at};
        if (state == State::start) {
            at = request_line();
            if (at == nullptr) return {State::start, begin_};
        }
        return field_lines(at);
    }

   private:
    /// Behind the request line, or null where it is any other.
    const char* request_line() noexcept {
        constexpr std::string_view version_and_end = " HTTP/1.1\r\n";
        const bool is_get = stands_at(begin_, end_, "GET ");
        const char* const method_end =
            is_get ? begin_ + 3 : Runs::template skip<bytes::token>(begin_, end_, begin_);
        if (method_end == begin_ || !stands_at(method_end, end_, " /")) return nullptr;

        const char* const path = method_end + 1;
        const char* const path_end = Runs::template skip<bytes::path_bytes>(path, end_, begin_);
        const bool has_query = stands_at(path_end, end_, "?");
        const char* const target_end =
            has_query ? Runs::template skip<bytes::query_bytes>(path_end + 1, end_, begin_)
                      : path_end;
        if (!stands_at(target_end, end_, version_and_end)) return nullptr;
        const char* const line_end = target_end + version_and_end.size();
        const auto line_size = static_cast<std::size_t>(line_end - begin_);
        if (line_size - plain_line_end.size() > limits_.request_line_bytes_max) return nullptr;

        const Method method = is_get ? Method::get : method_from({begin_, method_end});
        if (method == Method::connect) return nullptr;
        index_.method = method;
        index_.method_text = stretch(begin_, method_end);
        index_.target = stretch(path, target_end);
        index_.path = stretch(path, path_end);
        if (has_query) index_.query = stretch(path_end + 1, target_end);
        return line_end;
    }

    /// Whole lines, up to one that is any other, or behind the head's end.
    PlainHead field_lines(const char* line) {
        const std::size_t fields_max = fields_max_of(limits_);
        const std::ptrdiff_t line_max = limits_.field_line_bytes_max;
        // No line end that is whole begins at the last byte.
        const char* const last = end_ - 1;
        RunEnds<Runs, bytes::value> line_ends{line, end_};
        for (std::size_t fields = index_.fields.size(); fields < fields_max; ++fields) {
            const char* const name_end = Runs::template skip<bytes::token>(line, end_, begin_);
            if (name_end == line) {
                if (!stands_at(line, end_, plain_line_end)) return {State::line, line};
                return {State::complete, line + plain_line_end.size()};
            }
            const char* const line_end = line_ends.next();
            if (line_end >= last || std::memcmp(line_end, plain_line_end.data(), 2) != 0) break;
            if (line_end - line > line_max) break;
            // None of these looks at a byte behind the CRLF, which has no colon, and is not beyond
            // space.
            if (std::memcmp(name_end, ": ", 2) != 0) break;
            const char* const value = name_end + 2;
            if (!is_beyond_space(*value) || !is_beyond_space(line_end[-1])) break;
            add_field(index_, fields + 1, begin_, {line, name_end}, {value, line_end});
            line = line_end + plain_line_end.size();
        }
        return {State::line, line};
    }

    Stretch stretch(const char* from, const char* to) const noexcept {
        return {static_cast<std::uint32_t>(from - begin_), static_cast<std::uint32_t>(to - from)};
    }

    HeadIndex& index_;
    const Limits& limits_;
    const char* const begin_;
    const char* const end_;
};

}  // namespace weir::http
