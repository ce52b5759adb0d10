#pragma once

#include <atomic>
#include <cstdint>

namespace weir::http {

/// How many connections a server has, and how far its stop has come. One for all threads and
/// processes of a server, which each connection changes when it opens, retires and closes; a process
/// that is killed leaves its share in them.
struct ConnectionCounts {
    std::atomic<std::uint32_t> open{0};
    std::atomic<std::uint32_t> retired{0};  // open, and told that the server stops
    std::atomic<std::uint32_t> at_work{0};  // retired, and with a request to finish

    static void add(std::atomic<std::uint32_t>& count) noexcept { count.fetch_add(1); }
    static void remove(std::atomic<std::uint32_t>& count) noexcept { count.fetch_sub(1); }
};

}  // namespace weir::http
