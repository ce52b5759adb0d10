#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weir::sandbox {

/// Who needs a call.
enum class Needs : std::uint8_t {
    every_engine,
    processes,  // engines that start processes
    rings,      // io-uring
    uploads,    // files that are made in folders
    /// Not made in the tests, but by another version of libc, on another kernel, or in a situation
    /// that tests don't bring about.
    seldom,
};

/// Looks at one argument: `value & mask` must be one of the values.
struct Check {
    static constexpr unsigned values_max = 4;

    unsigned argument = 0;   // from 0
    std::uint32_t mask = 0;  // 0: no check
    std::uint32_t values[values_max] = {};
    unsigned count = 1;
    bool is_pointer = false;  // its upper 32 bits must be 0, too
};

struct Call {
    std::string_view name;
    std::uint32_t number;
    Needs needs = Needs::every_engine;
    Check check{};
};

/// All calls that a server may make after it was locked in, and how.
std::span<const Call> allowed_calls() noexcept;

/// Calls that only an intruder makes: they would run a program, look into another process, change
/// the kernel, or get around the file system's rules.
std::span<const Call> hostile_calls() noexcept;

}  // namespace weir::sandbox
