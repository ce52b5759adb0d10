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

/// A fast reader for plain heads. Nearly all heads have the same form: `GET /path?query HTTP/1.1`,
/// then lines of `name: value`. PlainHeadReader reads such lines, once they have arrived whole, one
/// at a time. It leaves all other lines to the walk by the table, which gives the same results for
/// plain lines. The assertions compare the assumptions of the reader with the table:
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

/// The end of the plain lines at the beginning of a head.
struct PlainHead {
    State state;     // start: no line was read; line: the next line is not plain; complete
    const char* at;  // behind the last byte read
};

/// True if `text` stands at `at`. The input ends at `end`.
constexpr bool stands_at(const char* at, const char* end, std::string_view text) noexcept {
    return end - at >= static_cast<std::ptrdiff_t>(text.size()) &&
           std::memcmp(at, text.data(), text.size()) == 0;
}

/// True for all bytes of bytes::value but white space. False for CR and LF.
constexpr bool is_beyond_space(char byte) noexcept {
    return static_cast<unsigned char>(byte) > ' ';
}

inline constexpr std::string_view plain_line_end = "\r\n";

/// Reads plain lines in one call of the parser, from `bytes`, which begin with the head's first
/// byte.
template <typename Runs>
class PlainHeadReader {
   public:
    PlainHeadReader(std::string_view bytes, HeadIndex& index, const Limits& limits) noexcept
        : index_{index},
          limits_{limits},
          begin_{bytes.data()},
          end_{bytes.data() + std::min<std::size_t>(bytes.size(), limits.head_bytes_max)} {}

    /// Goes on at `at`. `state` is State::start or State::line.
    PlainHead read(State state, const char* at) {
        if (end_ - begin_ < Runs::bytes_min) return {state, at};
        if (state == State::start) {
            at = request_line();
            if (at == nullptr) return {State::start, begin_};
        }
        return field_lines(at);
    }

   private:
    /// Returns the end of the request line, or null if that line is not plain.
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

    /// Reads field lines from `line` on, up to the head's end, or to a line that is not plain or
    /// not whole.
    PlainHead field_lines(const char* line) {
        const std::size_t fields_max = fields_max_of(limits_);
        const std::ptrdiff_t line_max = limits_.field_line_bytes_max;
        // A whole line end has two bytes, so it cannot begin at the last one.
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
            // These comparisons read no byte behind the CRLF: each stops the loop at CR or LF.
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
