#include "site/listing/listing_desk.h"

#include <utility>

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

std::uint64_t ListingDesk::turn_now() {
    const std::scoped_lock lock{mutex_};
    return turn_ != 0 ? turn_ : turns_ + 1;
}

std::shared_ptr<const Folder> ListingDesk::find_since(std::uint64_t since,
                                                      const FileState& directory,
                                                      ListingOrder order) {
    const std::scoped_lock lock{mutex_};
    if (lasting_.is(directory, order)) return lasting_.folder;
    return latest_.turn >= since && latest_.is(directory, order) ? latest_.folder : nullptr;
}

void ListingDesk::keep(std::shared_ptr<const Folder> folder, const FileState& directory,
                       bool stays) {
    if (folder->bytes() > bytes_max_) return;
    Kept kept{.folder = std::move(folder), .directory = directory};
    const std::scoped_lock lock{mutex_};
    kept.turn = turn_;
    std::swap(stays ? lasting_ : latest_, kept);  // the previous folder is freed after the unlock
    if (stays) latest_ = {};
}

}  // namespace weir::site
