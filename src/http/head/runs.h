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

/// Runs of bytes of a set, one struct for each instruction set. The parser is compiled with each
/// struct. skip() returns the first byte of [at, end) that is not in the set, or `end`. It reads
/// nothing outside of [begin, end); begin <= at.
inline constexpr std::ptrdiff_t block_bytes = 64;

struct ScalarRuns {
    static constexpr std::ptrdiff_t bytes_min = 0;

    template <ByteSet set>
    static const char* skip(const char* at, const char* end, const char* /*begin*/) noexcept {
        while (at != end && set.has_byte(static_cast<unsigned char>(*at))) ++at;
        return at;
    }

    /// Bit n is set if at[n] is not in the set. For at most `block_bytes` bytes.
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

/// A set of bytes as two tables of 16: byte b is in the set if low[b & 15] and high[b >> 4] have a
/// bit in common. Either all bytes of 0x80 and above are in the set, or none. Each table is stored
/// twice, because AVX2 looks up in each half of a register separately.
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
    // The entry 0xff of `high` then has a bit in common with each entry of `low`.
    static_assert(!has_high || std::ranges::none_of(low, [](auto bits) { return bits == 0; }));
};

struct Sse42Runs {
    static constexpr std::ptrdiff_t bytes_min = 16;

    /// Bit n is set if at[n], one of 16 bytes, is not in the set.
    template <ByteSet set>
    [[gnu::target("sse4.2")]] static unsigned outsiders(const char* at) noexcept {
        using Register = const __m128i*;
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<Register>(at));
        const __m128i mask = _mm_set1_epi8(15);
        // A look-up with a byte of 0x80 or above gives 0, so only a set with such bytes needs the
        // mask.
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
    /// For the long runs. Most runs are short, so the compiler must not inline this code.
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

    /// For fewer bytes than a register has: reads a whole register, which ends at `end`.
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
    /// For the long runs, as in Sse42Runs.
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

/// Finds the ends of runs of bytes of the set in [at, end), in order. An end is a byte outside of
/// the set; several such bytes in a row are one end, the first of them. The search examines a block
/// of bytes in advance, so that the processor finds the next lines while it still reads this one.
template <typename Runs, ByteSet set>
class RunEnds {
   public:
    /// The Runs::bytes_min bytes before `end` must be readable, whatever `at` is.
    RunEnds(const char* at, const char* end) noexcept : block_{at}, next_{at}, end_{end} {}

    /// Returns `end` if no further run ends.
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

    std::uint64_t mask_ = 0;  // bit n: a run ends at block_[n], and next() has not returned it yet
    std::uint64_t last_was_outsider_ = 0;  // in the previous block
    const char* block_;
    const char* next_;
    const char* const end_;
};

}  // namespace weir::http
