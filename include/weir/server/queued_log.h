#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string_view>

#include "weir/server/log.h"

namespace weir::server {

/// Turns a log that may block into one that never does: messages wait in memory for a thread that
/// passes them on, in their order. If `messages_max` messages already wait, a further message is
/// dropped, and a warning before the next message gives the number of dropped messages.
///
/// The thread starts at the first message. So each process that an engine forks has a queue and a
/// thread of its own.
class QueuedLog final : public Log {
   public:
    /// Only the thread of this log calls it. It may block. If it throws, the message is lost.
    using PassOn = std::function<void(Severity, std::string_view)>;

    explicit QueuedLog(PassOn pass_on, std::size_t messages_max = 1000);
    /// Passes on the messages that wait, without a time limit. A forked process passes on only its
    /// own messages.
    ~QueuedLog() override;
    QueuedLog(const QueuedLog&) = delete;
    QueuedLog& operator=(const QueuedLog&) = delete;

    void write(Severity severity, std::string_view message) noexcept override;

   private:
    class Queue;

    Queue& queue_of_process();

    PassOn pass_on_;
    std::size_t messages_max_;
    std::atomic<Queue*> queue_{nullptr};  // of the process that wrote last; null before the first
                                          // message
};

}  // namespace weir::server
