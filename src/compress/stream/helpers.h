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

/// Threads that compress what takes too long for a loop. They start when there is work, in the process
/// that has it. Thread-safe.
class Helpers {
   public:
    Helpers() = default;
    /// Tasks that wait are dropped.
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// The task comes back when it has worked. False if no thread could be started: it is not away.
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
    pid_t process_ = 0;  // in which they run
    bool ends_ = false;
};

}  // namespace weir::compress
