#include "dav/locks/rights.h"

#include <algorithm>

#include "dav/request/locked.h"
#include "site/path/paths.h"

namespace weir::dav {

/// A token counts only for the user that the lock was given to (RFC 4918 6.4).
bool Rights::hold(const Lock& lock) const {
    return lock.user == holder_.user &&
           std::ranges::find(holder_.tokens, lock.token) != holder_.tokens.end();
}

/// The token of one of several shared locks is enough (RFC 4918 6.2).
void Rights::need(std::string_view path) const {
    const auto locks = table_.covering(path, now_);
    if (locks.empty()) return;
    if (std::ranges::none_of(locks, [this](const Lock& each) { return hold(each); }))
        throw Locked{locks.front().path, locks.front().is_folder};
}

void Rights::need_as_member(std::string_view path) const {
    need(path);
    if (!path.empty()) need(site::parent_of(path));
}

void Rights::need_for(const upload::Naming& naming) const {
    if (naming.replaces)
        need(naming.path);
    else
        need_as_member(naming.path);
}

std::vector<Lock> Rights::missing_below(std::string_view path) const {
    const auto locks = table_.below(path, now_);
    std::vector<Lock> missing;
    std::ranges::copy_if(locks, std::back_inserter(missing), [&](const Lock& each) {
        return std::ranges::none_of(
            locks, [&](const Lock& other) { return other.path == each.path && hold(other); });
    });
    return missing;
}

std::vector<Lock> conflicting(const LockTable& table, const Lock& wanted, Instant now) {
    auto locks = table.covering(wanted.path, now);
    if (wanted.is_infinite)
        std::ranges::move(table.below(wanted.path, now), std::back_inserter(locks));
    if (!wanted.is_exclusive)
        std::erase_if(locks, [](const Lock& each) { return !each.is_exclusive; });
    return locks;
}

}  // namespace weir::dav
