#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "web/topics/topic.h"
#include "weir/web/topics.h"

namespace weir::web::detail {

/// The topics that have subscribers, by name. Any thread may call each member.
class TopicRegistry {
   public:
    explicit TopicRegistry(const TopicOptions& options) noexcept : options_{options} {}

    const TopicOptions& options() const noexcept { return options_; }
    /// The topic exists until leave() was called as often as enter().
    Topic& enter(std::string_view name);
    void leave(const Topic& topic) noexcept;
    /// Null if the topic has no subscribers.
    std::shared_ptr<const Topic> find(std::string_view name) const;

   private:
    struct Entry {
        std::shared_ptr<Topic> topic{};
        std::size_t users = 0;
    };

    const TopicOptions options_;
    mutable std::mutex mutex_;
    std::map<std::string_view, Entry>
        topics_{};  // guarded by the mutex; the names are of the topics
};

}  // namespace weir::web::detail
