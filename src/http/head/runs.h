#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "http/syntax/byte_class.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weir::http {

/// The first byte of [at, end) that is not in the set, or `end`. Nothing outside of [begin, end) is
/// read, where begin <= at. One struct for each instruction set; the parser is compiled with each.
inline constexpr std::ptrdiff_t block_bytes = 64;

struct ScalarRuns {
    static constexpr std::ptrdiff_t bytes_min = 0;

    template <ByteSet set>
    static const char* skip(const char* at, const char* end, const char* /*begin*/) noexcept {
        while (at != end && set.has_byte(static_cast<unsigned char>(*at))) ++at;
        return at;
    }

    /// Bit n: at[n] is not in the set; of `block_bytes` at most.
    template <ByteSet set>
    static std::uint64_t outsiders_of(const char* at, const char* end) noexcept {
        std::uint64_t mask = 0;
        for (std::uint64_t bit = 1; at != end; ++at, bit <<= 1)
            if (!set.has_byte(static_cast<unsigned char>(*at))) mask |= bit;
        return mask;
    }
    template <ByteSet set>
    static std::uint64_t outsiders_of_block(const char* at) noexcept {
        return outsiders_of<set>(at, at + block_bytes);
    }
};

#if defined(__x86_64__)

using NibbleTable = std::array<std::uint8_t, 32>;

/// A set of bytes as two tables of 16: byte b is in it where low[b & 15] and high[b >> 4] have a bit in
/// common. Bytes of 0x80 and above are all in it, or none. Each table stands there twice, as AVX2 looks
/// up in halves.
template <ByteSet set>
struct Nibbles {
    static constexpr bool has_high = set.has(ByteClass::high);
    alignas(32) static constexpr NibbleTable low = [] {
        NibbleTable table{};
        for (unsigned byte = 0; byte < 128; ++byte) {
            if (!set.has_byte(byte)) continue;
            table[byte & 15u] |= static_cast<std::uint8_t>(1u << (byte >> 4));
            table[16 + (byte & 15u)] = table[byte & 15u];
        }
        return table;
    }();
    alignas(32) static constexpr NibbleTable high = [] {
        NibbleTable table{};
        for (unsigned nibble = 0; nibble < 16; ++nibble) {
            if (nibble < 8) table[nibble] = static_cast<std::uint8_t>(1u << nibble);
            if (nibble >= 8 && has_high) table[nibble] = 0xff;
            table[16 + nibble] = table[nibble];
        }
        return table;
    }();
    // For 0xff to find a bit in each of them.
    static_assert(!has_high || std::ranges::none_of(low, [](auto bits) { return bits == 0; }));
};

struct Sse42Runs {
    static constexpr std::ptrdiff_t bytes_min = 16;

    /// One bit for each of the 16 bytes from `at`: set where it is not in the set.
    template <ByteSet set>
    [[gnu::target("sse4.2")]] static unsigned outsiders(const char* at) noexcept {
        using Register = const __m128i*;
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<Register>(at));
        const __m128i mask = _mm_set1_epi8(15);
        // A look-up with a byte of 0x80 and above answers 0: only a set that has them needs the mask.
        const __m128i low = Nibbles<set>::has_high ? _mm_and_si128(bytes, mask) : bytes;
        const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), mask);
        const __m128i common = _mm_and_si128(
            _mm_shuffle_epi8(*reinterpret_cast<Register>(Nibbles<set>::low.data()), low),
            _mm_shuffle_epi8(*reinterpret_cast<Register>(Nibbles<set>::high.data()), high));
        return static_cast<unsigned>(
            _mm_movemask_epi8(_mm_cmpeq_epi8(common, _mm_setzero_si128())));
    }

    template <ByteSet set>
    [[gnu::target("sse4.2")]] static const char* skip(const char* at, const char* end,
                                                      const char* begin) noexcept {
        if (end - at >= 16) [[likely]]
            if (const unsigned mask = outsiders<set>(at); mask != 0) [[likely]]
                return at + __builtin_ctz(mask);
        return skip_on<set>(at, end, begin);
    }

    template <ByteSet set>
    [[gnu::target("sse4.2")]] static std::uint64_t outsiders_of(const char* at,
                                                                const char* end) noexcept {
        std::uint64_t mask = 0;
        int bit = 0;
        for (; end - at >= 16; at += 16, bit += 16)
            mask |= std::uint64_t{outsiders<set>(at)} << bit;
        return at == end ? mask : mask | std::uint64_t{outsiders_of_rest<set>(at, end)} << bit;
    }

    template <ByteSet set>
    [[gnu::target("sse4.2")]] static std::uint64_t outsiders_of_block(const char* at) noexcept {
        return outsiders_of<set>(at, at + block_bytes);
    }

   private:
    /// Most runs are short: what is for the others stays out of the way.
    template <ByteSet set>
    [[gnu::target("sse4.2"), gnu::noinline]] static const char* skip_on(
        const char* at, const char* end, const char* begin) noexcept {
        for (; end - at >= 16; at += 16)
            if (const unsigned mask = outsiders<set>(at)) return at + __builtin_ctz(mask);
        if (at == end) return end;
        if (end - begin < 16) return ScalarRuns::skip<set>(at, end, begin);
        const unsigned mask = outsiders_of_rest<set>(at, end);
        return mask != 0 ? at + __builtin_ctz(mask) : end;
    }

    /// Shorter than a register: looked at together with what stands before it.
    template <ByteSet set>
    [[gnu::target("sse4.2")]] static unsigned outsiders_of_rest(const char* at,
                                                                const char* end) noexcept {
        return outsiders<set>(end - 16) >> (16 - (end - at));
    }
};

struct Avx2Runs {
    static constexpr std::ptrdiff_t bytes_min = 32;

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static unsigned outsiders(const char* at) noexcept {
        using Register = const __m256i*;
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<Register>(at));
        const __m256i mask = _mm256_set1_epi8(15);
        const __m256i low = Nibbles<set>::has_high ? _mm256_and_si256(bytes, mask) : bytes;
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask);
        const __m256i common = _mm256_and_si256(
            _mm256_shuffle_epi8(*reinterpret_cast<Register>(Nibbles<set>::low.data()), low),
            _mm256_shuffle_epi8(*reinterpret_cast<Register>(Nibbles<set>::high.data()), high));
        return static_cast<unsigned>(
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256())));
    }

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static const char* skip(const char* at, const char* end,
                                                        const char* begin) noexcept {
        if (end - at >= 32) [[likely]]
            if (const unsigned mask = outsiders<set>(at); mask != 0) [[likely]]
                return at + __builtin_ctz(mask);
        return skip_on<set>(at, end, begin);
    }

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static std::uint64_t outsiders_of(const char* at,
                                                                  const char* end) noexcept {
        const auto size = end - at;
        if (size < 32) return outsiders_of_rest<set>(at, end);
        return outsiders<set>(at) | std::uint64_t{outsiders<set>(end - 32)} << (size - 32);
    }

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static std::uint64_t outsiders_of_block(const char* at) noexcept {
        return outsiders<set>(at) | std::uint64_t{outsiders<set>(at + 32)} << 32;
    }

   private:
    /// Most runs are short: what is for the others stays out of the way.
    template <ByteSet set>
    [[gnu::target("avx2,bmi"), gnu::noinline]] static const char* skip_on(
        const char* at, const char* end, const char* begin) noexcept {
        for (; end - at >= 32; at += 32)
            if (const unsigned mask = outsiders<set>(at)) return at + __builtin_ctz(mask);
        if (at == end) return end;
        if (end - begin < 32) return Sse42Runs::skip<set>(at, end, begin);
        const unsigned mask = outsiders_of_rest<set>(at, end);
        return mask != 0 ? at + __builtin_ctz(mask) : end;
    }

    template <ByteSet set>
    [[gnu::target("avx2,bmi")]] static unsigned outsiders_of_rest(const char* at,
                                                                  const char* end) noexcept {
        return outsiders<set>(end - 32) >> (32 - (end - at));
    }
};

#endif

/// Where runs of bytes of the set end in [at, end), one after the other: of bytes in a row that are not
/// in the set, the first. Many are looked at before the first of them is asked for: where the next
/// line begins must not wait for this one to be read.
template <typename Runs, ByteSet set>
class RunEnds {
   public:
    /// Runs::bytes_min bytes before `end` may be read, whatever `at` is.
    RunEnds(const char* at, const char* end) noexcept : block_{at}, next_{at}, end_{end} {}

    /// `end` when there is none left.
    const char* next() noexcept {
        while (mask_ == 0) {
            if (next_ == end_) return end_;
            look_on();
        }
        const char* const found = block_ + std::countr_zero(mask_);
        mask_ &= mask_ - 1;
        return found;
    }

   private:
    void look_on() noexcept {
        block_ = next_;
        std::uint64_t outsiders = 0;
        if (end_ - block_ > block_bytes) {
            next_ = block_ + block_bytes;
            outsiders = Runs::template outsiders_of_block<set>(block_);
        } else {
            next_ = end_;
            outsiders = Runs::template outsiders_of<set>(block_, end_);
        }
        mask_ = outsiders & ~(outsiders << 1 | last_was_outsider_);
        last_was_outsider_ = outsiders >> (block_bytes - 1);
    }

    std::uint64_t mask_ = 0;  // bit n: a run ends at block_[n], and this was not told yet
    std::uint64_t last_was_outsider_ = 0;  // of the block before
    const char* block_;
    const char* next_;
    const char* const end_;
};

}  // namespace weir::http
