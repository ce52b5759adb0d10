#include "weir/web/await.h"

#include <utility>

namespace weir::web::detail {

void Runner::run() {
    if (!root_ || root_.done()) return;
    // The awaited event may have happened already. But this may be the thread of a handler, and the
    // connection calls run() again on its own.
    if (!std::exchange(has_begun_, true)) return innermost_.resume();
    while (awaited_ != nullptr && awaited_->is_ready(waker_.now())) {
        awaited_ = nullptr;
        innermost_.resume();
    }
}

void Runner::end() noexcept {
    const auto root = std::exchange(root_, {});
    if (!root) return;
    Awaited* const awaited = std::exchange(awaited_, nullptr);
    if (awaited == nullptr || !awaited->takes_over(root, owner_)) root.destroy();
    owner_.reset();
}

}  // namespace weir::web::detail
