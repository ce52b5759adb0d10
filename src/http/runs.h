#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "http/byte_class.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weir::http {

/// The first byte of [at, end) that is not in the set, or `end`. Nothing outside of [begin, end) is
/// read, where begin <= at. One struct for each instruction set; the parser is compiled with each.
struct ScalarRuns {
    template <ByteSet set>
    static const char* skip(const char* at, const char* end, const char* /*begin*/) noexcept {
        while (at != end && set.has_byte(static_cast<unsigned char>(*at))) ++at;
        return at;
    }
};

#if defined(__x86_64__)

/// A set of bytes as two tables of 16: byte b is in it where low[b & 15] has bit b >> 4. Bytes of
/// 0x80 and above are all in it, or none (pshufb answers 0 for them). Each table stands there twice,
/// as AVX2 looks up in halves.
template <ByteSet set>
struct Nibbles {
    using Table = std::array<std::uint8_t, 32>;
    static constexpr bool has_high = set.has(ByteClass::high);
    alignas(32) static constexpr Table low = [] {
        Table table{};
        for (unsigned byte = 0; byte < 128; ++byte) {
            if (!set.has_byte(byte)) continue;
            table[byte & 15u] |= static_cast<std::uint8_t>(1u << (byte >> 4));
            table[16 + (byte & 15u)] = table[byte & 15u];
        }
        return table;
    }();
};

/// The same for all sets.
struct NibbleTables {
    using Table = std::array<std::uint8_t, 32>;
    alignas(32) static constexpr Table high = [] {
        Table table{};
        for (unsigned nibble = 0; nibble < 8; ++nibble)
            table[nibble] = table[16 + nibble] = static_cast<std::uint8_t>(1u << nibble);
        return table;
    }();
    alignas(32) static constexpr Table nibble_mask = [] {
        Table table{};
        table.fill(15);
        return table;
    }();
};

struct Sse42Runs {
    /// One bit for each of the 16 bytes from `at`: set where it is not in the set.
    template <ByteSet set>
    [[gnu::target("sse4.2")]] static unsigned outsiders(const char* at) noexcept {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i high_nibbles =
            _mm_and_si128(_mm_srli_epi16(bytes, 4),
                          *reinterpret_cast<const __m128i*>(NibbleTables::nibble_mask.data()));
        const __m128i from_low =
            _mm_shuffle_epi8(*reinterpret_cast<const __m128i*>(Nibbles<set>::low.data()), bytes);
        const __m128i from_high = _mm_shuffle_epi8(
            *reinterpret_cast<const __m128i*>(NibbleTables::high.data()), high_nibbles);
        const __m128i outside =
            _mm_cmpeq_epi8(_mm_and_si128(from_low, from_high), _mm_setzero_si128());
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(outside));
        if constexpr (!Nibbles<set>::has_high) return mask;
        return mask & ~static_cast<unsigned>(_mm_movemask_epi8(bytes));
    }

    template <ByteSet set>
    [[gnu::target("sse4.2")]] static const char* skip(const char* at, const char* end,
                                                      const char* begin) noexcept {
        for (; end - at >= 16; at += 16)
            if (const unsigned mask = outsiders<set>(at)) return at + __builtin_ctz(mask);
        if (at == end) return end;
        // The rest is shorter than a register: looked at together with what stands before it.
        if (end - begin < 16) return ScalarRuns::skip<set>(at, end, begin);
        const auto before = static_cast<unsigned>(16 - (end - at));
        const unsigned mask = outsiders<set>(end - 16) >> before;
        return mask != 0 ? at + __builtin_ctz(mask) : end;
    }
};

struct Avx2Runs {
    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static unsigned outsiders(const char* at) noexcept {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        const __m256i high_nibbles =
            _mm256_and_si256(_mm256_srli_epi16(bytes, 4),
                             *reinterpret_cast<const __m256i*>(NibbleTables::nibble_mask.data()));
        const __m256i from_low =
            _mm256_shuffle_epi8(*reinterpret_cast<const __m256i*>(Nibbles<set>::low.data()), bytes);
        const __m256i from_high = _mm256_shuffle_epi8(
            *reinterpret_cast<const __m256i*>(NibbleTables::high.data()), high_nibbles);
        const __m256i outside =
            _mm256_cmpeq_epi8(_mm256_and_si256(from_low, from_high), _mm256_setzero_si256());
        const auto mask = static_cast<unsigned>(_mm256_movemask_epi8(outside));
        if constexpr (!Nibbles<set>::has_high) return mask;
        return mask & ~static_cast<unsigned>(_mm256_movemask_epi8(bytes));
    }

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static const char* skip(const char* at, const char* end,
                                                        const char* begin) noexcept {
        for (; end - at >= 32; at += 32)
            if (const unsigned mask = outsiders<set>(at)) return at + __builtin_ctz(mask);
        if (at == end) return end;
        if (end - begin < 32) return Sse42Runs::skip<set>(at, end, begin);
        const auto before = static_cast<unsigned>(32 - (end - at));
        const unsigned mask = outsiders<set>(end - 32) >> before;
        return mask != 0 ? at + __builtin_ctz(mask) : end;
    }
};

#endif

}  // namespace weir::http
