#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "compress/stream/encoding_task.h"

namespace weir::compress {

/// Threads for compression that takes too long for an event loop. They start when there is work, in
/// the process that has it. Thread-safe.
class Helpers {
   public:
    Helpers() = default;
    /// Drops the tasks that wait.
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Gives `task` to a thread, which calls come_back() after its work. Returns false if no thread
    /// could be started; the task then stays with the caller.
    bool take(std::shared_ptr<EncodingTask> task) noexcept;

   private:
    static void* run(void* self) noexcept;
    void work() noexcept;
    bool start_thread() noexcept;
    std::shared_ptr<EncodingTask> next_task() noexcept;

    static constexpr std::size_t threads_max = 4;

    std::mutex mutex_;  // guards all that follows
    std::condition_variable changed_;
    std::shared_ptr<EncodingTask> first_{};
    EncodingTask* last_ = nullptr;
    std::array<pthread_t, threads_max> threads_{};
    std::size_t started_ = 0;
    std::size_t idle_ = 0;
    std::size_t waiting_ = 0;
    pid_t process_ = 0;  // the process in which the threads run
    bool ends_ = false;
};

}  // namespace weir::compress
