#include "http/content/chunked_decoder.h"

#include <algorithm>
#include <array>

#include "base/hexadecimal.h"
#include "weir/http/field_name.h"

namespace weir::http {
namespace {

constexpr bool is_extension(State state) noexcept {
    return state >= State::before_extension && state <= State::extension_end;
}

constexpr bool is_trailer(State state) noexcept {
    return state >= State::line && state <= State::last_lf;
}

/// Fields for framing, routing, authentication or the handling of a message must not be in a
/// trailer section (RFC 9110 6.5.1). This holds for all names that weir knows; the list has those
/// that other software acts on.
bool is_forbidden(std::string_view name) noexcept {
    if (field_name_from(name) != FieldName::other) return true;
    constexpr auto others = std::to_array<std::string_view>(
        {"cache-control", "content-encoding", "content-range", "keep-alive", "max-forwards",
         "pragma", "proxy-authorization", "proxy-connection", "set-cookie", "trailer"});
    return std::ranges::any_of(
        others, [&](std::string_view other) { return equals_ignoring_case(name, other); });
}

}  // namespace

ChunkedDecoder::Step ChunkedDecoder::decode(std::string_view input, const Limits& limits) {
    for (std::size_t at = 0;;) {
        if (state_ == State::complete) return {Result::complete, at, {}};
        if (state_ == State::data && chunk_left_ == 0) {
            state_ = machine.at(State::data, ByteClass::no_data).to;
            continue;
        }
        if (at == input.size()) return {Result::more, at, {}};
        if (state_ == State::data) {
            const std::string_view data = input.substr(at, chunk_left_);
            chunk_left_ -= data.size();
            if (chunk_left_ == 0) state_ = machine.at(State::data, ByteClass::data_end).to;
            return {Result::data, at + data.size(), data};
        }
        if (const Fault fault = take(input[at], limits); fault != Fault::none) {
            state_ = State::refused;
            return {Result::fault, at, {}, fault};
        }
        ++at;
    }
}

/// Takes one byte that is not content.
Fault ChunkedDecoder::take(char byte, const Limits& limits) {
    const bool in_trailer = is_trailer(state_);
    const Transition transition = machine.at(state_, byte);
    if (transition.action == Action::stop)
        return in_trailer ? Fault::malformed_trailer : transition.fault;
    state_ = transition.to;
    if (const Fault fault = count(limits); fault != Fault::none) return fault;
    return act(transition.action, byte, limits);
}

/// Checks the limits after a byte. `state_` is the state that the byte led to.
Fault ChunkedDecoder::count(const Limits& limits) noexcept {
    if (is_trailer(state_) && state_ != State::last_lf)
        return ++trailer_bytes_ > limits.trailer_bytes_max ? Fault::trailers_too_long : Fault::none;
    if (state_ != State::size && !is_extension(state_)) return Fault::none;
    if (++line_bytes_ > limits.chunk_line_bytes_max) return Fault::chunk_line_too_long;
    if (is_extension(state_) && ++extension_bytes_ > limits.chunk_extension_bytes_max)
        return Fault::chunk_extensions_too_long;
    return Fault::none;
}

Fault ChunkedDecoder::act(Action action, char byte, const Limits& limits) {
    switch (action) {
        case Action::size_digit: return add_digit(byte);
        case Action::begin_data: line_bytes_ = 0; return Fault::none;
        case Action::begin_name:
            if (trailer_fields_++ == limits.fields_max) return Fault::too_many_fields;
            trailer_begin_ = static_cast<std::uint32_t>(trailers_.size());
            break;
        case Action::end_name:
            trailer_name_ = static_cast<std::uint32_t>(trailer_line().size());
            trailers_ += ": ";
            return Fault::none;
        case Action::empty_value:
        case Action::end_value: end_trailer(); return Fault::none;
        default: break;
    }
    if (state_ == State::field_name || state_ == State::field_value) trailers_ += byte;
    return Fault::none;
}

Fault ChunkedDecoder::add_digit(char digit) noexcept {
    // The limit is that of Content-Length, 2^63: a sum of two lengths cannot overflow.
    if (chunk_left_ >= std::uint64_t{1} << 59) return Fault::malformed_chunk_size;
    chunk_left_ = chunk_left_ * 16 + static_cast<unsigned>(hex_value(digit));
    return Fault::none;
}

void ChunkedDecoder::end_trailer() {
    if (is_forbidden(trailer_line().substr(0, trailer_name_))) {
        trailers_.resize(trailer_begin_);
        return;
    }
    const std::size_t value = trailer_begin_ + trailer_name_ + 2;
    const std::size_t last = trailers_.find_last_not_of(" \t");
    trailers_.resize(std::max(value, last + 1));
    trailers_ += "\r\n";
}

}  // namespace weir::http
