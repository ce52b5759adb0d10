#include "web/topics/topic_registry.h"

#include <string>
#include <utility>

namespace weir::web::detail {

Topic& TopicRegistry::enter(std::string_view name) {
    const std::scoped_lock lock{mutex_};
    auto at = topics_.find(name);
    if (at == topics_.end()) {
        auto topic = std::make_shared<Topic>(std::string{name});
        const std::string_view own_name = topic->name();
        at = topics_.emplace(own_name, Entry{.topic = std::move(topic)}).first;
    }
    ++at->second.users;
    return *at->second.topic;
}

void TopicRegistry::leave(const Topic& topic) noexcept {
    std::shared_ptr<Topic> last;  // has the name of the entry
    const std::scoped_lock lock{mutex_};
    const auto at = topics_.find(topic.name());
    if (--at->second.users != 0) return;
    last = std::move(at->second.topic);
    topics_.erase(at);
}

std::shared_ptr<const Topic> TopicRegistry::find(std::string_view name) const {
    const std::scoped_lock lock{mutex_};
    const auto at = topics_.find(name);
    return at != topics_.end() ? at->second.topic : nullptr;
}

}  // namespace weir::web::detail
