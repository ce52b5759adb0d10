#include "http/head_parser.h"

#include <algorithm>

#include "http/head_walk.h"

namespace weir::http {
namespace {

// Short cuts of the walk below, each held to the table.
static_assert(walked(State::version_h, HeadWalk::version_and_end) == State::line);
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

}  // namespace

HeadParser::Result HeadParser::refuse(Fault fault) noexcept {
    state_ = State::refused;
    fault_ = fault;
    return Result::fault;
}

/// All of the input was walked and the head has not ended, or one of its limits was reached.
HeadParser::Result HeadParser::pause(const HeadWalk& walk, State state) noexcept {
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
    if (position_ - line_ < line_max + HeadWalk::line_end_size) return Result::more;
    return refuse(in_request_line ? Fault::request_line_too_long : Fault::field_line_too_long);
}

/// Compiled once for each instruction set. The cases of a field line stand in the order in which
/// they come: where the next byte is the expected one, a case falls through to the next without
/// looking at the table, which would say the same.
template <typename Runs>
[[gnu::always_inline]] inline HeadParser::Result HeadParser::walk(HeadWalk walk) noexcept {
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
            case Action::end_head:
                index.size = static_cast<std::uint32_t>(walk.at + 1 - walk.begin);
                state_ = state;
                return Result::complete;
            default:
                if (const Fault fault = walk.act_on_request_line<Runs>(transition.action, state);
                    fault != Fault::none)
                    return refuse(fault);
                continue;
        }
        ++walk.at;
    }
    return pause(walk, state);
}

#if defined(__x86_64__)
[[gnu::target("sse4.2"), gnu::flatten]] HeadParser::Result HeadParser::walk_sse42(
    const HeadWalk& from) noexcept {
    return walk<Sse42Runs>(from);
}

[[gnu::target("avx2,bmi"), gnu::flatten]] HeadParser::Result HeadParser::walk_avx2(
    const HeadWalk& from) noexcept {
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
    const HeadWalk from{
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
