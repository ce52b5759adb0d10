#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "http/fault.h"
#include "http/field_names.h"
#include "http/head_states.h"
#include "http/request_target.h"
#include "http/runs.h"
#include "weir/http/head_index.h"
#include "weir/http/limits.h"

namespace weir::http {

/// One call of parse(): what its loop needs, in registers as far as they go.
struct HeadWalk {
    static constexpr std::string_view version_and_end = "HTTP/1.1\r\n";
    static constexpr std::size_t line_end_size = 2;

    HeadIndex& index;
    const Limits& limits;
    const char* const begin;  // of the head
    const char* const end;    // of the input, or where the head becomes too long
    const std::size_t fields_max;
    const char* at;
    const char* mark;            // where the current token began
    const char* line;            // where the current line began
    const char* name;            // of the field whose value is being read
    const char* name_end;        // one past it
    const char* value_end;       // one past the value, once it was looked for
    const char* stop = nullptr;  // the end, or where the line becomes too long

    Stretch stretch(const char* from, const char* to) const noexcept {
        return {static_cast<std::uint32_t>(from - begin), static_cast<std::uint32_t>(to - from)};
    }
    Stretch marked() const noexcept { return stretch(mark, at); }
    std::string_view marked_text() const noexcept { return {mark, at}; }

    /// A line may have `size_max` bytes and the CRLF.
    void limit_line(std::size_t size_max) noexcept {
        const auto left = static_cast<std::size_t>(end - line);
        stop = left > size_max + line_end_size ? line + size_max + line_end_size : end;
    }
    void limit_request_line() noexcept { limit_line(limits.request_line_bytes_max); }
    void limit_field_line() noexcept { limit_line(limits.field_line_bytes_max); }

    template <typename Runs, ByteSet set>
    void skip() noexcept {
        at = Runs::template skip<set>(at, stop, begin);
    }

    /// A name, its colon and the space behind are bytes that a value may have too: so the end of
    /// the value is looked for from the line's start on, and the next line need not wait for the
    /// end of this one's name to be found first.
    template <typename Runs>
    void look_for_line_end() noexcept {
        value_end = Runs::template skip<bytes::value>(at, stop, begin);
    }
    template <typename Runs>
    void skip_value() noexcept {
        if (value_end > at)
            at = value_end;
        else  // the line began in an earlier call
            skip<Runs, bytes::value>();
    }

    /// Goes on in the run that the last call broke off.
    template <typename Runs>
    void resume(State state) noexcept {
        switch (state) {
            case State::path: return skip<Runs, bytes::path_bytes>();
            case State::query: return skip<Runs, bytes::query_bytes>();
            case State::field_name: return skip<Runs, bytes::token>();
            case State::field_value: return skip<Runs, bytes::value>();
            default: return;
        }
    }

    /// Behind the target, over the version that most requests have.
    Fault skip_version(State& state) noexcept {
        ++at;
        if (stop - at < static_cast<std::ptrdiff_t>(version_and_end.size())) return Fault::none;
        if (std::memcmp(at, version_and_end.data(), version_and_end.size()) != 0)
            return Fault::none;
        at += version_and_end.size();
        state = State::line;
        line = at;
        limit_field_line();
        return Fault::none;
    }

    /// The byte that comes next, where it is there, is `byte`.
    bool is_at(char byte) const noexcept { return at != stop && *at == byte; }

    /// RFC 9112 5.1: the white space around a value is not of it.
    void end_value() noexcept {
        const char* last = at;
        while (last != mark && (last[-1] == ' ' || last[-1] == '\t')) --last;
        const FieldName id = field_names::recognised({name, name_end});
        // Not a temporary: GCC makes a call of that push_back().
        const FieldLine field{
            .name = stretch(name, name_end), .value = stretch(mark, last), .id = id};
        index.fields.push_back(field);
        if (id == FieldName::other) return;
        std::uint16_t& first = index.first[static_cast<std::size_t>(id)];
        if (first == 0) first = static_cast<std::uint16_t>(index.fields.size());
    }

    void begin_path() noexcept { index.target = index.path = stretch(at, at); }
    void end_path() noexcept {
        index.path.size = static_cast<std::uint32_t>(at - begin) - index.path.begin;
        end_target();
    }
    void end_query() noexcept {
        index.query = marked();
        end_target();
    }
    void end_target() noexcept {
        index.target.size = static_cast<std::uint32_t>(at - begin) - index.target.begin;
    }

    /// What a request line's actions do; `at` is where to go on afterwards.
    template <typename Runs>
    Fault act_on_request_line(Action action, State& state) noexcept;
};

template <typename Runs>
Fault HeadWalk::act_on_request_line(Action action, State& state) noexcept {
    switch (action) {
        case Action::begin_method:
            line = mark = at;
            limit_request_line();
            skip<Runs, bytes::token>();
            return Fault::none;
        case Action::end_method:
            index.method_text = marked();
            index.method = method_from(marked_text());
            ++at;
            return Fault::none;
        case Action::begin_origin:
            begin_path();
            skip<Runs, bytes::path_bytes>();
            return index.method == Method::connect ? Fault::malformed_target : Fault::none;
        case Action::begin_query:
            end_path();
            mark = ++at;
            skip<Runs, bytes::query_bytes>();
            return Fault::none;
        case Action::end_path: end_path(); return skip_version(state);
        case Action::end_query: end_query(); return skip_version(state);
        case Action::minor_version:
            index.minor_version = static_cast<std::uint8_t>(*at++ - '0');
            return Fault::none;
        case Action::end_request_line:
            line = ++at;
            limit_field_line();
            return Fault::none;
        default:
            const TargetStep step = act_on_target(action, index, {begin, mark, at});
            mark = step.mark;
            ++at;
            return step.fault;
    }
}

}  // namespace weir::http
