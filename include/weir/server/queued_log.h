#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string_view>

#include "weir/server/log.h"

namespace weir::server {

/// Makes a log that never blocks of one that may: messages wait in memory for a thread that passes
/// them on, in their order. If `messages_max` messages wait already, a further one is dropped; the
/// next message that is passed on comes behind a warning with the number of those dropped.
///
/// The thread starts with the first message. So each process that an engine forks has a queue and a
/// thread of its own.
class QueuedLog final : public Log {
   public:
    /// Only the thread of this log calls it. It may block. If it throws, the message is lost.
    using PassOn = std::function<void(Severity, std::string_view)>;

    explicit QueuedLog(PassOn pass_on, std::size_t messages_max = 1000);
    /// Passes on the messages that wait, however long that takes. In a forked process, only those of
    /// that process.
    ~QueuedLog() override;
    QueuedLog(const QueuedLog&) = delete;
    QueuedLog& operator=(const QueuedLog&) = delete;

    void write(Severity severity, std::string_view message) noexcept override;

   private:
    class Queue;

    Queue& queue_of_process();

    PassOn pass_on_;
    std::size_t messages_max_;
    std::atomic<Queue*> queue_{nullptr};  // of the process that wrote last; null: none has
};

}  // namespace weir::server
