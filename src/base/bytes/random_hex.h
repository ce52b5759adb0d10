#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>

#include "base/bytes/random_bytes.h"
#include "base/hexadecimal.h"

namespace weir {

/// Appends random digits for so many bytes, a multiple of 8. They distinguish requests, and are no
/// secrets: each thread has a generator, so that only its first call is a system call. A child of
/// fork(2) repeats the digits of its parent, if the same thread of the parent has called this
/// before. Throws std::system_error if the system has no random numbers.
inline void append_random_hex(std::string& out, std::size_t bytes) {
    thread_local std::mt19937_64 generator = [] {
        std::array<std::uint32_t, 8> seeds{};
        fill_random(std::as_writable_bytes(std::span{seeds}));
        std::seed_seq seed(seeds.begin(), seeds.end());
        return std::mt19937_64{seed};
    }();
    for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
        std::uint64_t word = generator();
        for (std::size_t j = 0; j < sizeof word; ++j, word >>= 8U)
            append_hex_byte(out, static_cast<unsigned char>(word & 0xffU));
    }
}

}  // namespace weir
