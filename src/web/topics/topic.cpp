#include "web/topics/topic.h"

#include <vector>

namespace weir::web::detail {
namespace {

/// Wakes the receivers at the end of its scope.
class WakeLater {
   public:
    WakeLater() = default;
    WakeLater(const WakeLater&) = delete;
    WakeLater& operator=(const WakeLater&) = delete;
    ~WakeLater() {
        for (const auto& outbox : outboxes_) outbox->wake();
    }
    void reserve(std::size_t count) { outboxes_.reserve(count); }
    void add(const std::shared_ptr<Outbox>& outbox) { outboxes_.push_back(outbox); }

   private:
    std::vector<std::shared_ptr<Outbox>> outboxes_{};
};

}  // namespace

void Topic::add(std::list<std::shared_ptr<Outbox>>& one) noexcept {
    const std::scoped_lock lock{mutex_};
    outboxes_.splice(outboxes_.end(), one);
}

void Topic::remove(std::list<std::shared_ptr<Outbox>>::iterator outbox) noexcept {
    std::list<std::shared_ptr<Outbox>> removed;  // destroyed without the lock
    const std::scoped_lock lock{mutex_};
    removed.splice(removed.begin(), outboxes_, outbox);
}

std::size_t Topic::size() const noexcept {
    const std::scoped_lock lock{mutex_};
    return outboxes_.size();
}

/// The lock makes all subscribers get the messages of a topic in one order. No subscriber is woken
/// under it.
std::size_t Topic::publish(Publication& publication, CloseCode when_full) const {
    WakeLater woken;
    const std::scoped_lock lock{mutex_};
    woken.reserve(outboxes_.size());
    std::size_t count = 0;
    for (const auto& outbox : outboxes_) {
        const auto& bytes = publication.form(*outbox);
        if (!bytes) continue;
        const auto receipt = outbox->publish(bytes, when_full);
        if (receipt.is_queued) ++count;
        if (receipt.must_wake) woken.add(outbox);
    }
    return count;
}

}  // namespace weir::web::detail
