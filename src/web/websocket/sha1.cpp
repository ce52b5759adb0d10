#include "web/websocket/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::web::ws {
namespace {

constexpr std::size_t block_bytes = 64;
using State = std::array<std::uint32_t, 5>;

std::uint32_t word_at(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

/// RFC 3174 5: f(t) and K(t).
std::uint32_t mixed(std::size_t round, const State& s) noexcept {
    if (round < 20) return ((s[1] & s[2]) | (~s[1] & s[3])) + 0x5a827999;
    if (round < 40) return (s[1] ^ s[2] ^ s[3]) + 0x6ed9eba1;
    if (round < 60) return ((s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])) + 0x8f1bbcdc;
    return (s[1] ^ s[2] ^ s[3]) + 0xca62c1d6;
}

void take_block(State& state, std::string_view block) noexcept {
    std::array<std::uint32_t, 80> words;
    for (std::size_t i = 0; i < 16; ++i) words[i] = word_at(block, 4 * i);
    for (std::size_t i = 16; i < words.size(); ++i)
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    State s = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t next = std::rotl(s[0], 5) + mixed(i, s) + s[4] + words[i];
        s = {next, s[0], std::rotl(s[1], 30), s[2], s[3]};
    }
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += s[i];
}

/// RFC 3174 4
std::string padded(std::string_view bytes) {
    std::string out{bytes};
    out += '\x80';
    while (out.size() % block_bytes != block_bytes - 8) out += '\0';
    const std::uint64_t bits = std::uint64_t{8} * bytes.size();
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(bits >> shift & 0xffU);
    return out;
}

}  // namespace

std::string sha1(std::string_view bytes) {
    State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const std::string message = padded(bytes);
    for (std::size_t at = 0; at < message.size(); at += block_bytes)
        take_block(state, std::string_view{message}.substr(at, block_bytes));
    std::string digest;
    for (const std::uint32_t word : state)
        for (int shift = 24; shift >= 0; shift -= 8)
            digest += static_cast<char>(word >> shift & 0xffU);
    return digest;
}

}  // namespace weir::web::ws
