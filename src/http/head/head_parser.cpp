#include "http/head/head_parser.h"

#include <algorithm>
#include <type_traits>

#include "http/head/head_walk.h"
#include "http/head/plain_head.h"

namespace weir::http {

HeadParser::Result HeadParser::refuse(Fault fault) noexcept {
    state_ = State::refused;
    fault_ = fault;
    return Result::fault;
}

HeadParser::Result HeadParser::complete(HeadIndex& index, std::size_t size) noexcept {
    index.size = static_cast<std::uint32_t>(size);
    state_ = State::complete;
    return Result::complete;
}

void HeadParser::save(const HeadWalk& walk, State state) noexcept {
    const auto offset = [&](const char* at) { return static_cast<std::uint32_t>(at - walk.begin); };
    position_ = offset(walk.at);
    mark_ = offset(walk.mark);
    line_ = offset(walk.line);
    name_ = offset(walk.name);
    name_end_ = offset(walk.name_end);
    state_ = state;
}

/// The walk has reached the end of the input, or a limit of the head, before the head's end.
HeadParser::Result HeadParser::pause(const HeadWalk& walk, State state) noexcept {
    save(walk, state);
    const bool in_request_line = state < State::line;
    const std::size_t line_max =
        in_request_line ? walk.limits.request_line_bytes_max : walk.limits.field_line_bytes_max;
    const bool head_is_full = position_ == walk.limits.head_bytes_max;
    if (!head_is_full && position_ - line_ < line_max + HeadWalk::line_end_size)
        return Result::more;
    // RFC 9112 3: the server knows no method of this length.
    if (state == State::method) return refuse(Fault::method_too_long);
    if (head_is_full) return refuse(Fault::head_too_long);
    return refuse(in_request_line ? Fault::request_line_too_long : Fault::field_line_too_long);
}

// The following functions are compiled once for each instruction set.

/// Walks to the head's end, or to the next field line.
template <typename Runs>
[[gnu::always_inline]] inline std::optional<HeadParser::Result> HeadParser::walk(
    std::string_view bytes, HeadIndex& index, const Limits& limits) {
    HeadWalk walk{
        .index = index,
        .limits = limits,
        .begin = bytes.data(),
        .end = bytes.data() + std::min<std::size_t>(bytes.size(), limits.head_bytes_max),
        .fields_max = fields_max_of(limits),
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

    do {
        if (state == State::line) walk.begin_field_line();
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
            case Action::end_head:
                return complete(index, static_cast<std::size_t>(walk.at + 1 - walk.begin));
            default:
                if (const Fault fault = walk.act_on_request_line<Runs>(transition.action);
                    fault != Fault::none)
                    return refuse(fault);
        }
    } while (state != State::line);
    save(walk, state);
    return std::nullopt;
}

/// PlainHeadReader reads many plain lines at a time, and the table reads every other line.
template <typename Runs>
[[gnu::always_inline]] inline HeadParser::Result HeadParser::read(std::string_view bytes,
                                                                  HeadIndex& index,
                                                                  const Limits& limits) {
    for (;;) {
        if (state_ == State::start || state_ == State::line) {
            PlainHeadReader<Runs> plain{bytes, index, limits};
            const PlainHead head = plain.read(state_, bytes.data() + position_);
            const auto size = static_cast<std::size_t>(head.at - bytes.data());
            if (head.state == State::complete) return complete(index, size);
            state_ = head.state;
            position_ = static_cast<std::uint32_t>(size);
        }
        const auto result = [&] {
#if defined(__x86_64__)
            if constexpr (std::is_same_v<Runs, Avx2Runs>) return walk_avx2(bytes, index, limits);
            if constexpr (std::is_same_v<Runs, Sse42Runs>) return walk_sse42(bytes, index, limits);
#endif
            if constexpr (std::is_same_v<Runs, ScalarRuns>)
                return walk<ScalarRuns>(bytes, index, limits);
        }();
        if (result) return *result;
    }
}

#if defined(__x86_64__)
// walk() is not a part of read(): its variables would take registers from PlainHeadReader, which
// reads nearly all heads.
[[gnu::target("sse4.2"), gnu::flatten, gnu::noinline]] std::optional<HeadParser::Result>
HeadParser::walk_sse42(std::string_view bytes, HeadIndex& index, const Limits& limits) {
    return walk<Sse42Runs>(bytes, index, limits);
}

[[gnu::target("avx2,bmi"), gnu::flatten, gnu::noinline]] std::optional<HeadParser::Result>
HeadParser::walk_avx2(std::string_view bytes, HeadIndex& index, const Limits& limits) {
    return walk<Avx2Runs>(bytes, index, limits);
}

[[gnu::target("sse4.2"), gnu::flatten]] HeadParser::Result HeadParser::read_sse42(
    std::string_view bytes, HeadIndex& index, const Limits& limits) {
    return read<Sse42Runs>(bytes, index, limits);
}

[[gnu::target("avx2,bmi"), gnu::flatten]] HeadParser::Result HeadParser::read_avx2(
    std::string_view bytes, HeadIndex& index, const Limits& limits) {
    return read<Avx2Runs>(bytes, index, limits);
}

InstructionSet widest() noexcept {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        return InstructionSet::avx2;
    return __builtin_cpu_supports("sse4.2") ? InstructionSet::sse42 : InstructionSet::scalar;
}
#else
InstructionSet widest() noexcept { return InstructionSet::scalar; }
#endif

namespace {
const InstructionSet widest_here = widest();
}  // namespace

HeadParser::Result HeadParser::read_scalar(std::string_view bytes, HeadIndex& index,
                                           const Limits& limits) {
    return read<ScalarRuns>(bytes, index, limits);
}

HeadParser::Result HeadParser::parse(std::string_view bytes, HeadIndex& index,
                                     const Limits& limits) {
    return parse(bytes, index, limits, widest_here);
}

HeadParser::Result HeadParser::parse(std::string_view bytes, HeadIndex& index, const Limits& limits,
                                     [[maybe_unused]] InstructionSet instructions) {
    if (state_ == State::refused) return Result::fault;
#if defined(__x86_64__)
    if (instructions == InstructionSet::avx2) return read_avx2(bytes, index, limits);
    if (instructions == InstructionSet::sse42) return read_sse42(bytes, index, limits);
#endif
    return read_scalar(bytes, index, limits);
}

}  // namespace weir::http
