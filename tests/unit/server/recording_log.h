#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/troubles.h"
#include "weir/server/log.h"

namespace weir::server {

/// Keeps all messages, and lets a test wait for one.
class RecordingLog final : public Log {
   public:
    /// Troubles of earlier tests are not told to it.
    RecordingLog() {
        for (std::size_t kind = 0; kind < Troubles::kinds; ++kind)
            troubles().take(static_cast<Trouble>(kind));
    }

    void write(Severity, std::string_view message) noexcept override {
        const std::lock_guard lock{mutex_};
        messages_.emplace_back(message);
        changed_.notify_all();
    }

    std::vector<std::string> messages() {
        const std::lock_guard lock{mutex_};
        return messages_;
    }

    void wait_for(std::string_view beginning) {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] {
            return std::ranges::any_of(messages_, [&](const std::string& message) {
                return message.starts_with(beginning);
            });
        });
    }
    void wait_for_messages(std::size_t count) {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return messages_.size() >= count; });
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> messages_;
};

}  // namespace weir::server
