#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weir::sandbox {

/// The part of weir that needs a call.
enum class Needs : std::uint8_t {
    every_engine,
    processes,  // engines that start processes
    rings,      // io-uring
    uploads,    // files that are made in folders
    folders,    // folders that are made and moved, and extended attributes
    servers,    // connections to other servers
    /// A call that the tests don't make. Another version of libc, another kernel or a rare
    /// situation needs it.
    seldom,
};

/// Checks one argument: `value & mask` must be one of the values.
struct Check {
    static constexpr unsigned values_max = 4;

    unsigned argument = 0;   // from 0
    std::uint32_t mask = 0;  // 0: no check
    std::uint32_t values[values_max] = {};
    unsigned count = 1;
    bool is_pointer = false;  // the upper 32 bits of the argument must be 0, too
};

struct Call {
    std::string_view name;
    std::uint32_t number;
    Needs needs = Needs::every_engine;
    Check check{};
};

/// All calls that a server may make in the sandbox, with the checks of their arguments.
std::span<const Call> allowed_calls() noexcept;

/// Calls that only an intruder makes: they would run a program, look into another process, change
/// the kernel, or get around the file system's rules.
std::span<const Call> hostile_calls() noexcept;

}  // namespace weir::sandbox
