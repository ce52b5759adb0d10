#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include <sys/resource.h>

#include "net/listener.h"

namespace weir::tests {

/// Descriptors that this process has open.
int open_descriptors();
/// Threads that this process has.
int threads();
/// Waits until they are so many: one that was joined is counted for a moment longer.
bool threads_become(int count);
/// Waits until every thread of this process but the calling one sleeps in a system call: what they
/// had begun, they have finished. False where one still runs when time_limit ends.
bool other_threads_sleep();
/// CPU time that this process has used, in all its threads.
std::chrono::microseconds cpu_time();

/// The most resident memory since the last reset, in bytes (VmHWM).
std::uint64_t peak_memory_bytes();
void reset_peak_memory();

/// The server's end of a client's connection, where the server is in this process.
std::optional<int> server_end_of(int client);

/// In a process that an engine has forked from the test's: closes its copies of the clients' ends, as
/// a client that closes its own must have closed it. Their numbers stay taken. The server's are those on `servers`' addresses.
void close_clients(std::span<const net::Listener> servers);

/// Lowers the limit on descriptors to those that are open now, plus `spare`; undone at the end.
class FewDescriptors {
   public:
    explicit FewDescriptors(int spare);
    ~FewDescriptors();
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

   private:
    rlimit before_{};
};

}  // namespace weir::tests
