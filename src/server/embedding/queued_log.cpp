#include "weir/server/queued_log.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/background_thread.h"
#include "base/troubles.h"

namespace weir::server {

/// The messages of one process, and the thread that passes them on.
class QueuedLog::Queue {
   public:
    Queue(const PassOn& pass_on, std::size_t messages_max)
        : pass_on_{pass_on}, messages_max_{messages_max} {
        thread_ = start_background_thread([this] { run(); });
    }
    ~Queue() {
        {
            const std::scoped_lock lock{mutex_};
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    bool is_of_this_process() const noexcept { return process_ == ::getpid(); }

    /// Returns false if the queue is full.
    bool put(Severity severity, std::string_view message) {
        {
            const std::scoped_lock lock{mutex_};
            if (messages_.size() >= messages_max_) {
                ++dropped_;
                return false;
            }
            messages_.push_back({severity, std::string{message}});
        }
        changed_.notify_one();
        return true;
    }

   private:
    struct Message {
        Severity severity;
        std::string text;
    };

    void run() {
        std::unique_lock lock{mutex_};
        for (;;) {
            changed_.wait(lock, [this] { return ends_ || !messages_.empty(); });
            if (messages_.empty()) return;
            const Message message = std::move(messages_.front());
            messages_.pop_front();
            const auto dropped = std::exchange(dropped_, 0);
            lock.unlock();
            pass_on(message, dropped);
            lock.lock();
        }
    }

    void pass_on(const Message& message, std::uint64_t dropped) noexcept try {
        if (dropped != 0)
            pass_on_(Severity::warning, std::to_string(dropped) + " messages were dropped");
        pass_on_(message.severity, message.text);
    } catch (...) {
        troubles().note(Trouble::log_lines);
    }

    const PassOn& pass_on_;
    const std::size_t messages_max_;
    const pid_t process_ = ::getpid();
    std::mutex mutex_;  // guards all that follows
    std::condition_variable changed_;
    std::deque<Message> messages_;
    std::uint64_t dropped_ = 0;
    bool ends_ = false;

    std::thread thread_;  // last: it uses all members above
};

QueuedLog::QueuedLog(PassOn pass_on, std::size_t messages_max)
    : pass_on_{std::move(pass_on)}, messages_max_{messages_max} {}

QueuedLog::~QueuedLog() {
    Queue* const queue = queue_.load();
    if (queue && queue->is_of_this_process()) delete queue;
}

/// A queue that fork(2) has copied has no thread, and its mutex may be locked for ever. So it is
/// never used or destroyed.
QueuedLog::Queue& QueuedLog::queue_of_process() {
    Queue* current = queue_.load();
    if (current && current->is_of_this_process()) return *current;
    auto made = std::make_unique<Queue>(pass_on_, messages_max_);
    if (queue_.compare_exchange_strong(current, made.get())) return *made.release();
    return *current;  // another thread was faster
}

void QueuedLog::write(Severity severity, std::string_view message) noexcept try {
    if (!queue_of_process().put(severity, message)) troubles().note(Trouble::log_lines);
} catch (...) {  // there is no memory, or no thread
    troubles().note(Trouble::log_lines);
}

}  // namespace weir::server
