#include "site/listing/listing_desk.h"

namespace weir::site {

ListingDesk::Turn ListingDesk::take_turn() {
    const std::scoped_lock lock{mutex_};
    if (turn_ != 0) return {};
    turn_ = ++turns_;
    return {*this, turn_};
}

void ListingDesk::end_turn(std::uint64_t number) noexcept {
    const std::scoped_lock lock{mutex_};
    if (turn_ == number) turn_ = 0;
}

std::shared_ptr<const Folder> ListingDesk::find(const FileState& directory, ListingOrder order) {
    const std::scoped_lock lock{mutex_};
    const bool is_it = kept_ && kept_state_ == directory && kept_->order() == order;
    return is_it ? kept_ : nullptr;
}

void ListingDesk::keep(std::shared_ptr<const Folder> folder, const FileState& directory) {
    if (folder->bytes() > bytes_max_) return;
    const std::scoped_lock lock{mutex_};
    kept_.swap(folder);  // the one of before goes after the lock
    kept_state_ = directory;
}

}  // namespace weir::site
