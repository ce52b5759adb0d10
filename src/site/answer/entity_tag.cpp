#include "site/answer/entity_tag.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <initializer_list>

namespace weir::site {

namespace {

/// The finalizer of splitmix64: every bit of the input affects every bit of the output.
std::uint64_t mixed(std::uint64_t value) noexcept {
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30u)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27u)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31u);
}

std::uint64_t digest(std::initializer_list<std::uint64_t> values) noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values) sum = mixed(sum ^ value);
    return sum;
}

std::uint64_t bits(std::int64_t value) noexcept { return static_cast<std::uint64_t>(value); }

void append_hex(std::string& out, std::uint64_t value) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    out.append(digits, end);
}

std::string tag_of(std::uint64_t size, std::uint64_t sum) {
    std::string tag = "\"";
    append_hex(tag, size);
    tag += '-';
    append_hex(tag, sum);
    tag += '"';
    return tag;
}

}  // namespace

std::string entity_tag(const FileState& state, Coding coding, std::uint64_t nonce) {
    return tag_of(
        state.size,
        digest({state.device, state.inode, state.size, bits(state.modified.seconds),
                bits(state.modified.nanoseconds), bits(state.changed.seconds),
                bits(state.changed.nanoseconds), static_cast<std::uint64_t>(coding), nonce}));
}

std::string entity_tag(std::string_view content) {
    ContentSum sum;
    sum.add(content);
    return sum.entity_tag();
}

void ContentSum::add(std::string_view piece) noexcept {
    size_ += piece.size();
    while (!piece.empty()) {
        const std::size_t size = std::min(piece.size(), sizeof(std::uint64_t));
        std::uint64_t word = 0;
        std::memcpy(&word, piece.data(), size);
        sum_ = mixed(sum_ ^ word);
        piece.remove_prefix(size);
    }
}

std::string ContentSum::entity_tag() const { return tag_of(size_, sum_); }

std::string dated_entity_tag(const FileState& state, Coding coding) {
    return tag_of(state.size,
                  digest({state.size, bits(state.modified.seconds),
                          bits(state.modified.nanoseconds), static_cast<std::uint64_t>(coding)}));
}

bool is_settled(const FileState& state, FileTime now) noexcept {
    constexpr std::int64_t tick = 20'000'000;  // ns; two ticks of the slowest kernel clock
                                               // (CONFIG_HZ=100)
    const std::int64_t seconds = now.seconds - state.changed.seconds;
    if (seconds < 0 || seconds > 1) return seconds > 1;
    return seconds * 1'000'000'000 + now.nanoseconds - state.changed.nanoseconds > tick;
}

}  // namespace weir::site
