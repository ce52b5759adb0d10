#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace weir {

using Sha256 = std::array<std::uint8_t, 32>;

/// The bytes of the hash.
inline std::string text_of(const Sha256& hash) { return {hash.begin(), hash.end()}; }

/// The parts of sha256(), with the sections of FIPS 180-4.
namespace sha2 {

inline constexpr std::size_t block_bytes = 64;

// FIPS 180-4, 4.2.2.
inline constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

/// 5.3.3.
inline constexpr State begin{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

inline std::uint32_t word_at(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

/// 6.2.2, step 1.
inline std::array<std::uint32_t, 64> schedule(std::string_view block) noexcept {
    std::array<std::uint32_t, 64> words{};
    for (std::size_t i = 0; i < 16; ++i) words[i] = word_at(block, 4 * i);
    for (std::size_t i = 16; i < words.size(); ++i) {
        const std::uint32_t far = words[i - 15], near = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] +
                   (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3U) +
                   (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10U);
    }
    return words;
}

/// 6.2.2, steps 2 to 4.
inline void take(State& state, std::string_view block) noexcept {
    const auto words = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + round_constants[i] + words[i];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State added{a, b, c, d, e, f, g, h};
    std::ranges::transform(state, added, state.begin(), std::plus{});
}

/// The bytes that do not fill a block, a bit, and the size in bits (5.1.1).
inline std::string last_blocks(std::string_view rest, std::uint64_t size) {
    std::string blocks{rest};
    blocks += '\x80';
    while (blocks.size() % block_bytes != block_bytes - 8) blocks += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        blocks += static_cast<char>(size * 8 >> static_cast<unsigned>(shift) & 0xffU);
    return blocks;
}

inline std::string xored(std::string_view key, char with) {
    std::string block{key};
    block.resize(block_bytes, '\0');
    for (char& c : block) c = static_cast<char>(c ^ with);
    return block;
}

}  // namespace sha2

/// FIPS 180-4.
inline Sha256 sha256(std::string_view bytes) {
    sha2::State state = sha2::begin;
    const std::size_t whole = bytes.size() / sha2::block_bytes * sha2::block_bytes;
    const std::string rest = sha2::last_blocks(bytes.substr(whole), bytes.size());
    for (std::size_t at = 0; at < whole; at += sha2::block_bytes)
        sha2::take(state, bytes.substr(at, sha2::block_bytes));
    for (std::size_t at = 0; at < rest.size(); at += sha2::block_bytes)
        sha2::take(state, std::string_view{rest}.substr(at, sha2::block_bytes));
    Sha256 hash{};
    for (std::size_t i = 0; i < hash.size(); ++i)
        hash[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return hash;
}

/// RFC 2104.
inline Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
    const std::string short_key =
        key.size() > sha2::block_bytes ? text_of(sha256(key)) : std::string{key};
    const std::string inner = text_of(sha256(sha2::xored(short_key, 0x36) + std::string{bytes}));
    return sha256(sha2::xored(short_key, 0x5c) + inner);
}

}  // namespace weir
