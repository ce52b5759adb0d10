#include "http/head/head_parser.h"

#include <algorithm>

#include "http/head/head_walk.h"
#include "http/head/plain_head.h"

namespace weir::http {
namespace {

// FieldLine numbers in HeadIndex::first are 16 bits wide.
constexpr std::size_t fields_representable = 65535;

}  // namespace

HeadParser::Result HeadParser::refuse(Fault fault) noexcept {
    state_ = State::refused;
    fault_ = fault;
    return Result::fault;
}

HeadParser::Result HeadParser::complete(const HeadWalk& walk) noexcept {
    walk.index.size = static_cast<std::uint32_t>(walk.at - walk.begin);
    state_ = State::complete;
    return Result::complete;
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

/// Compiled once for each instruction set.
template <typename Runs>
[[gnu::always_inline]] inline HeadParser::Result HeadParser::walk(std::string_view bytes,
                                                                  HeadIndex& index,
                                                                  const Limits& limits) noexcept {
    HeadWalk walk{
        .index = index,
        .limits = limits,
        .begin = bytes.data(),
        .end = bytes.data() + std::min<std::size_t>(bytes.size(), limits.head_bytes_max),
        .fields_max = std::min<std::size_t>(limits.fields_max, fields_representable),
        .fields = index.fields.size(),
        .at = bytes.data() + position_,
        .mark = bytes.data() + mark_,
        .line = bytes.data() + line_,
        .name = bytes.data() + name_,
        .name_end = bytes.data() + name_end_,
    };
    State state = state_;
    state < State::line ? walk.limit_request_line() : walk.limit_field_line();
    walk.resume<Runs>(state);
    if (state == State::start && take_plain_request_line<Runs>(walk)) state = State::line;

    for (;;) {
        if (state == State::line) {
            if (take_plain_field_lines<Runs>(walk)) return complete(walk);
            walk.begin_field_line();
        }
        if (walk.at == walk.stop) return pause(walk, state);
        const Transition transition = machine.at(state, *walk.at);
        state = transition.to;
        switch (transition.action) {
            case Action::none: ++walk.at; break;
            case Action::stop: return refuse(transition.fault);
            case Action::begin_name:
                if (!walk.has_room_for_a_field()) return refuse(Fault::too_many_fields);
                walk.begin_name<Runs>();
                break;
            case Action::end_name: walk.end_name(); break;
            case Action::begin_value: walk.begin_value<Runs>(); break;
            case Action::end_value: walk.end_value(); break;
            case Action::empty_value: walk.empty_value(); break;
            case Action::end_head: ++walk.at; return complete(walk);
            default:
                if (const Fault fault = walk.act_on_request_line<Runs>(transition.action);
                    fault != Fault::none)
                    return refuse(fault);
        }
    }
}

#if defined(__x86_64__)
[[gnu::target("sse4.2"), gnu::flatten]] HeadParser::Result HeadParser::walk_sse42(
    std::string_view bytes, HeadIndex& index, const Limits& limits) noexcept {
    return walk<Sse42Runs>(bytes, index, limits);
}

[[gnu::target("avx2,bmi"), gnu::flatten]] HeadParser::Result HeadParser::walk_avx2(
    std::string_view bytes, HeadIndex& index, const Limits& limits) noexcept {
    return walk<Avx2Runs>(bytes, index, limits);
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
#if defined(__x86_64__)
    if (instructions == InstructionSet::avx2) return walk_avx2(bytes, index, limits);
    if (instructions == InstructionSet::sse42) return walk_sse42(bytes, index, limits);
#endif
    return walk<ScalarRuns>(bytes, index, limits);
}

}  // namespace weir::http
