#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/head/head_states.h"
#include "http/head/request_target.h"
#include "http/head/runs.h"
#include "http/syntax/fault.h"
#include "http/syntax/field_names.h"
#include "weir/http/head_index.h"
#include "weir/http/limits.h"

namespace weir::http {

// FieldLine numbers in HeadIndex::first are 16 bits wide.
inline constexpr std::size_t fields_representable = 65535;

inline std::size_t fields_max_of(const Limits& limits) noexcept {
    return std::min<std::size_t>(limits.fields_max, fields_representable);
}

/// Adds field line `number`, counted from 1, of the head at `begin`.
inline void add_field(HeadIndex& index, std::size_t number, const char* begin,
                      std::string_view name, std::string_view value) {
    const auto offset = [&](std::string_view text) {
        return static_cast<std::uint32_t>(text.data() - begin);
    };
    const auto size = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
    const FieldName id = field_names::recognised(name);
    // With a temporary, GCC would not inline push_back().
    const FieldLine field{
        .name = {offset(name), size(name)}, .value = {offset(value), size(value)}, .id = id};
    index.fields.push_back(field);
    if (id == FieldName::other) return;
    std::uint16_t& first = index.first[static_cast<std::size_t>(id)];
    if (first == 0)
        first = static_cast<std::uint16_t>(number);
    else
        index.repeated |= HeadIndex::bit(id);
}

/// The state of the loop in one call of parse(), so that the compiler can keep it in registers.
struct HeadWalk {
    static constexpr std::size_t line_end_size = 2;

    HeadIndex& index;
    const Limits& limits;
    const char* const begin;  // of the head
    const char* const end;    // of the input, or where the head becomes too long
    const std::size_t fields_max;
    std::size_t fields;  // in the index so far
    const char* at;
    const char* mark;            // where the current token began
    const char* line;            // where the current line began
    const char* name;            // of the field whose value is being read
    const char* name_end;        // one past the name
    const char* stop = nullptr;  // `end`, or where the line becomes too long

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

    /// Goes on with the run in which the last call of parse() stopped.
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

    bool has_room_for_a_field() const noexcept { return fields < fields_max; }
    static bool is_white(char byte) noexcept { return byte == ' ' || byte == '\t'; }

    void begin_field_line() noexcept {
        line = at;
        limit_field_line();
    }
    template <typename Runs>
    void begin_name() noexcept {
        name = at;
        skip<Runs, bytes::token>();
    }
    void end_name() noexcept { name_end = at++; }
    template <typename Runs>
    void begin_value() noexcept {
        mark = at;
        skip<Runs, bytes::value>();
    }
    /// RFC 9112 5.1: the white space around a value does not belong to it.
    void end_value() {
        const char* last = at++;
        while (last != mark && is_white(last[-1])) --last;
        add_field(index, ++fields, begin, {name, name_end}, {mark, last});
    }
    void empty_value() {
        mark = at;
        end_value();
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

    /// Does the actions of the request line, and moves `at` to the next byte to read.
    template <typename Runs>
    Fault act_on_request_line(Action action) noexcept;
};

template <typename Runs>
Fault HeadWalk::act_on_request_line(Action action) noexcept {
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
        case Action::end_path:
            end_path();
            ++at;
            return Fault::none;
        case Action::end_query:
            end_query();
            ++at;
            return Fault::none;
        case Action::minor_version:
            index.minor_version = static_cast<std::uint8_t>(*at++ - '0');
            return Fault::none;
        default:
            const TargetStep step = act_on_target(action, index, {begin, mark, at});
            mark = step.mark;
            ++at;
            return step.fault;
    }
}

}  // namespace weir::http
