#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include <sys/resource.h>

#include "net/listener.h"

namespace weir::tests {

/// The number of descriptors that this process has open.
int open_descriptors();
/// The number of threads of this process.
int threads();
/// Waits until the process has `count` threads: a joined thread still counts for a moment.
bool threads_become(int count);
/// Waits until every other thread of this process, and every process that it has forked, sleeps in a
/// system call, so that it has finished what it had begun. False if a thread still runs after time_limit.
bool other_threads_sleep();
/// The CPU time of this process, over all its threads.
std::chrono::microseconds cpu_time();

/// The peak resident memory since the last reset, in bytes (VmHWM).
std::uint64_t peak_memory_bytes();
void reset_peak_memory();

/// The server's descriptor for a client's connection, if the server is in this process.
std::optional<int> server_end_of(int client);

/// For a process that an engine forked from the test's process. Closes its copies of the clients'
/// sockets, so that a client that closes its own socket really closes the connection. The
/// descriptor numbers stay in use. Sockets bound to the addresses of `servers` belong to the server
/// and stay open.
void close_clients(std::span<const net::Listener> servers);

/// Lowers the limit on descriptors (RLIMIT_NOFILE). The destructor restores it.
class LowDescriptorLimit {
   public:
    explicit LowDescriptorLimit(rlim_t limit);
    ~LowDescriptorLimit();
    LowDescriptorLimit(const LowDescriptorLimit&) = delete;
    LowDescriptorLimit& operator=(const LowDescriptorLimit&) = delete;

   private:
    rlimit before_{};
};

/// Lowers the limit on descriptors to the number that is open now, plus `spare`. Takes the unused
/// numbers below the highest one. The destructor restores all.
class FewDescriptors {
   public:
    explicit FewDescriptors(int spare);

   private:
    std::vector<net::UniqueFd> fillers_;
    std::optional<LowDescriptorLimit> limit_;
};

}  // namespace weir::tests
