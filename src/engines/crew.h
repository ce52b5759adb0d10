#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>

namespace weir::engines {

/// Threads that come and go, each with one piece of work, on small stacks. None is left when the
/// crew is destroyed: each thread, when it is done, joins the one that was done before it.
class Crew {
   public:
    /// Of each thread: what it doesn't touch, the kernel doesn't provide. Enough for handlers that
    /// don't recurse deeply; the usual 8 MB would use up the address space of small machines.
    static constexpr std::size_t stack_bytes = 256 * 1024;

    Crew() = default;
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    /// Waits for all.
    ~Crew();

    /// Takes `work`, unless the system has no thread left: it is untouched then.
    std::error_code start(std::move_only_function<void()>& work);

   private:
    struct Task;
    static void* enter(void* task);
    void leave();

    std::mutex mutex_;
    std::condition_variable all_done_;
    std::size_t running_ = 0;
    std::optional<pthread_t> last_done_;
};

}  // namespace weir::engines
