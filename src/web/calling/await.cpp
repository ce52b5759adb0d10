#include "weir/web/awaited.h"
#include "weir/web/foreign.h"
#include "weir/web/part.h"

namespace weir::web::detail {

void AbandonedJobs::add() noexcept {
    const std::scoped_lock lock{mutex_};
    ++count_;
}

void AbandonedJobs::remove() noexcept {
    // Within the lock: the one that waits may destroy this object as soon as it has the lock.
    const std::scoped_lock lock{mutex_};
    if (--count_ == 0) changed_.notify_all();
}

void AbandonedJobs::wait() noexcept {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return count_ == 0; });
}

void Remains::release() noexcept {
    if (parts != nullptr) return parts->release();
    frame.destroy();
    owner.reset();  // its captures are those of the frame
}

void Runner::run() {
    if (!frame_ || frame_.done()) return;
    // The awaited event may have happened already. But this may be the thread of a handler, and the
    // connection calls run() again on its own.
    if (!std::exchange(has_begun_, true)) return innermost_.resume();
    if (awaited_ == nullptr) return;
    // The clock is read once. A wait whose time comes meanwhile ends at the next run().
    const Instant now = waker_.now();
    while (awaited_ != nullptr && awaited_->is_ready(now)) {
        awaited_ = nullptr;
        innermost_.resume();
    }
}

void Runner::end(std::shared_ptr<const void> owner) noexcept {
    const Remains remains{.frame = std::exchange(frame_, {}), .owner = std::move(owner)};
    if (remains.frame && !leave(remains)) remains.frame.destroy();
}

Resumption Resumption::of(std::shared_ptr<Elsewhere> event) {
    event->happened();
    co_return;
}

}  // namespace weir::web::detail
