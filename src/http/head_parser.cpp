#include "http/head_parser.h"

#include <algorithm>
#include <cstring>

#include "http/authority.h"
#include "http/field_names.h"
#include "http/runs.h"

namespace weir::http {
namespace {

// Short cuts of the walk below, each held to the table.
constexpr std::string_view version_and_end = "HTTP/1.1\r\n";
static_assert(walked(State::version_h, version_and_end) == State::line);
static_assert(leads(State::field_name, bytes::colon, State::before_value, Action::end_name));
static_assert(leads(State::before_value, bytes::space, State::before_value, Action::none));
static_assert(leads(State::before_value, bytes::visible | bytes::high, State::field_value,
                    Action::begin_value));
static_assert(leads(State::field_value, bytes::cr, State::field_lf, Action::end_value));
static_assert(leads(State::field_lf, bytes::lf, State::line, Action::next_line));
static_assert((bytes::token | bytes::colon | bytes::space | bytes::value) == bytes::value);
// The runs.
static_assert(leads(State::method, bytes::token, State::method, Action::none));
static_assert(leads(State::path, bytes::path_bytes, State::path, Action::none));
static_assert(leads(State::query, bytes::query_bytes, State::query, Action::none));
static_assert(leads(State::field_name, bytes::token, State::field_name, Action::none));
static_assert(leads(State::field_value, bytes::value, State::field_value, Action::none));

// FieldLine numbers in HeadIndex::first are 16 bits wide.
constexpr std::size_t fields_representable = 65535;
constexpr std::size_t line_end_size = 2;

/// Of before_value's bytes, those that lead on to field_value.
constexpr bool begins_value(char byte) noexcept {
    return static_cast<unsigned char>(byte) > ' ' && byte != '\x7f';
}
static_assert([] {
    for (unsigned byte = 0; byte < 256; ++byte)
        if (begins_value(static_cast<char>(byte)) != (bytes::visible | bytes::high).has_byte(byte))
            return false;
    return true;
}());

constexpr bool is_white(char byte) noexcept { return byte == ' ' || byte == '\t'; }

bool is_http_scheme(std::string_view text) noexcept {
    return equals_ignoring_case(text, "http") || equals_ignoring_case(text, "https");
}

}  // namespace

/// One call of parse(): what its loop needs, in registers as far as they go.
struct HeadParser::Walk {
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

    /// `at` is behind the target's space. True where the version most requests have was skipped.
    bool skip_version() noexcept {
        if (stop - at < static_cast<std::ptrdiff_t>(version_and_end.size())) return false;
        if (std::memcmp(at, version_and_end.data(), version_and_end.size()) != 0) return false;
        at += version_and_end.size();
        return true;
    }

    /// The byte that comes next, where it is there, is `byte`.
    bool is_at(char byte) const noexcept { return at != stop && *at == byte; }

    /// RFC 9112 5.1: the white space around a value is not of it.
    void end_value() noexcept {
        const char* last = at;
        while (last != mark && is_white(last[-1])) --last;
        const FieldName id = field_names::recognised({name, name_end});
        // Not a temporary: GCC makes a call of that push_back().
        const FieldLine field{
            .name = stretch(name, name_end), .value = stretch(mark, last), .id = id};
        index.fields.push_back(field);
        if (id == FieldName::other) return;
        std::uint16_t& first = index.first[static_cast<std::size_t>(id)];
        if (first == 0) first = static_cast<std::uint16_t>(index.fields.size());
    }

    /// Up to `at`: the path, or the query, and the target with it.
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
    void begin_target() noexcept { index.target = index.path = stretch(at, at); }

    Fault end_authority() noexcept;
    Fault act_on_target(Action action) noexcept;
};

/// Of an absolute-form target; what follows is its path, its query, or the target's end.
Fault HeadParser::Walk::end_authority() noexcept {
    index.authority = marked();
    index.path = stretch(at, at);
    mark = at + 1;
    end_target();
    return is_authority(index.authority.in(begin), Port::optional) ? Fault::none
                                                                   : Fault::malformed_target;
}

/// The forms that are rare, and which method may have which form (RFC 9112 3.2).
Fault HeadParser::Walk::act_on_target(Action action) noexcept {
    const auto fault_unless = [](bool good) {
        return good ? Fault::none : Fault::malformed_target;
    };
    const bool connects = index.method == Method::connect;
    switch (action) {
        case Action::begin_origin: begin_target(); return fault_unless(!connects);
        case Action::begin_scheme:
        case Action::begin_asterisk:
        case Action::begin_authority_form: begin_target(); return Fault::none;
        case Action::end_scheme:
            index.form = TargetForm::absolute;
            // `at` is behind the colon.
            return fault_unless(!connects && is_http_scheme({begin + index.target.begin, at - 1}));
        case Action::begin_authority: mark = at; return Fault::none;
        case Action::begin_path:
        case Action::begin_absolute_query:
        case Action::end_absolute: return end_authority();
        case Action::end_asterisk:
            end_path();
            index.form = TargetForm::asterisk;
            return fault_unless(index.method == Method::options);
        case Action::end_authority_form:
            end_target();
            index.authority = index.target;
            index.form = TargetForm::authority;
            return fault_unless(connects &&
                                is_authority(index.authority.in(begin), Port::required));
        default: return Fault::none;
    }
}

HeadParser::Result HeadParser::refuse(Fault fault) noexcept {
    state_ = State::refused;
    fault_ = fault;
    return Result::fault;
}

/// All of the input was walked and the head has not ended, or one of its limits was reached.
HeadParser::Result HeadParser::pause(const Walk& walk, State state) noexcept {
    const auto offset = [&](const char* at) { return static_cast<std::uint32_t>(at - walk.begin); };
    position_ = offset(walk.at);
    mark_ = offset(walk.mark);
    line_ = offset(walk.line);
    name_ = offset(walk.name);
    name_end_ = offset(walk.name_end);
    state_ = state;
    if (position_ == walk.limits.head_bytes_max) return refuse(Fault::head_too_long);
    const bool in_request_line = state < State::line;
    const std::size_t line_max =
        in_request_line ? walk.limits.request_line_bytes_max : walk.limits.field_line_bytes_max;
    if (position_ - line_ < line_max + line_end_size) return Result::more;
    return refuse(in_request_line ? Fault::request_line_too_long : Fault::field_line_too_long);
}

/// Compiled once for each instruction set. The cases of a field line stand in the order in which
/// they come: where the next byte is the expected one, a case falls through to the next without
/// looking at the table, which would say the same.
template <typename Runs>
[[gnu::always_inline]] inline HeadParser::Result HeadParser::walk(Walk walk) noexcept {
    HeadIndex& index = walk.index;
    State state = state_;
    state < State::line ? walk.limit_request_line() : walk.limit_field_line();
    walk.resume<Runs>(state);

    while (walk.at != walk.stop) {
        const Transition transition = machine.at(state, *walk.at);
        state = transition.to;
        switch (transition.action) {
            case Action::none: break;
            case Action::stop: return refuse(transition.fault);
            case Action::begin_name:
                if (index.fields.size() >= walk.fields_max) return refuse(Fault::too_many_fields);
                walk.name = walk.at;
                walk.look_for_line_end<Runs>();
                walk.skip<Runs, bytes::token>();
                if (!walk.is_at(':')) continue;
                [[fallthrough]];
            case Action::end_name:
                walk.name_end = walk.at++;
                state = State::before_value;
                if (walk.is_at(' ')) ++walk.at;
                if (walk.at == walk.stop || !begins_value(*walk.at)) continue;
                [[fallthrough]];
            case Action::begin_value:
                walk.mark = walk.at;
                state = State::field_value;
                walk.skip_value<Runs>();
                if (!walk.is_at('\r')) continue;
                [[fallthrough]];
            case Action::end_value:
                walk.end_value();
                ++walk.at;
                state = State::field_lf;
                if (!walk.is_at('\n')) continue;
                [[fallthrough]];
            case Action::next_line:
                walk.line = ++walk.at;
                state = State::line;
                // Once a whole line's worth of bytes is no longer there, no line can be too long.
                if (walk.stop != walk.end) walk.limit_field_line();
                continue;
            case Action::empty_value:
                walk.mark = walk.at;
                walk.end_value();
                break;
            case Action::begin_method:
                started_ = true;
                walk.line = walk.mark = walk.at;
                walk.limit_request_line();
                walk.skip<Runs, bytes::token>();
                continue;
            case Action::end_method:
                index.method_text = walk.marked();
                index.method = method_from(walk.marked_text());
                break;
            case Action::begin_origin:
                if (index.method == Method::connect) return refuse(Fault::malformed_target);
                walk.begin_target();
                walk.skip<Runs, bytes::path_bytes>();
                continue;
            case Action::begin_query:
                walk.end_path();
                walk.mark = ++walk.at;
                walk.skip<Runs, bytes::query_bytes>();
                continue;
            case Action::end_path:
            case Action::end_query:
                transition.action == Action::end_path ? walk.end_path() : walk.end_query();
                ++walk.at;
                if (!walk.skip_version()) continue;
                state = State::line;
                walk.line = walk.at;
                walk.limit_field_line();
                continue;
            case Action::minor_version:
                index.minor_version = static_cast<std::uint8_t>(*walk.at - '0');
                break;
            case Action::end_request_line:
                walk.line = walk.at + 1;
                walk.limit_field_line();
                break;
            case Action::end_head:
                index.size = static_cast<std::uint32_t>(walk.at + 1 - walk.begin);
                return Result::complete;
            default:
                if (const Fault fault = walk.act_on_target(transition.action); fault != Fault::none)
                    return refuse(fault);
                break;
        }
        ++walk.at;
    }
    return pause(walk, state);
}

#if defined(__x86_64__)
[[gnu::target("sse4.2"), gnu::flatten]] HeadParser::Result HeadParser::walk_sse42(
    const Walk& from) noexcept {
    return walk<Sse42Runs>(from);
}

[[gnu::target("avx2,bmi"), gnu::flatten]] HeadParser::Result HeadParser::walk_avx2(
    const Walk& from) noexcept {
    return walk<Avx2Runs>(from);
}

InstructionSet widest() noexcept {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        return InstructionSet::avx2;
    return __builtin_cpu_supports("sse4.2") ? InstructionSet::sse42 : InstructionSet::scalar;
}
#else
InstructionSet widest() noexcept { return InstructionSet::scalar; }
#endif

HeadParser::Result HeadParser::parse(std::string_view bytes, HeadIndex& index, const Limits& limits,
                                     [[maybe_unused]] InstructionSet instructions) noexcept {
    if (state_ == State::refused) return Result::fault;
    const Walk from{
        .index = index,
        .limits = limits,
        .begin = bytes.data(),
        .end = bytes.data() + std::min<std::size_t>(bytes.size(), limits.head_bytes_max),
        .fields_max = std::min<std::size_t>(limits.fields_max, fields_representable),
        .at = bytes.data() + position_,
        .mark = bytes.data() + mark_,
        .line = bytes.data() + line_,
        .name = bytes.data() + name_,
        .name_end = bytes.data() + name_end_,
        .value_end = bytes.data(),
    };
#if defined(__x86_64__)
    if (instructions == InstructionSet::avx2) return walk_avx2(from);
    if (instructions == InstructionSet::sse42) return walk_sse42(from);
#endif
    return walk<ScalarRuns>(from);
}

}  // namespace weir::http
