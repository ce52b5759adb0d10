#include "client/names.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace weir::web::detail {
namespace {

Addresses look_up(upstream::Target& target) {
    static_cast<void>(upstream::look_up(target));
    return std::move(target.addresses);
}

}  // namespace

Task<Addresses> Names::find(upstream::Target& target, Instant now) {
    if (target.name.empty()) co_return std::move(target.addresses);
    if (auto known = kept(target.authority, now)) co_return std::move(*known);
    auto found = co_await offload(lookers_, look_up, std::ref(target));
    if (!found.empty()) keep(target.authority, found, now);
    co_return found;
}

std::optional<Addresses> Names::kept(const std::string& place, Instant now) {
    const std::scoped_lock lock{mutex_};
    const auto found = entries_.find(place);
    if (found == entries_.end()) return std::nullopt;
    Entry& entry = found->second;
    if (now >= entry.old_at) {
        entry.old_at = now + kept_for;
        return std::nullopt;
    }
    return entry.addresses;
}

/// The entry that is the oldest makes room.
void Names::keep(const std::string& place, Addresses addresses, Instant now) {
    const std::scoped_lock lock{mutex_};
    if (entries_.size() >= kept_max && !entries_.contains(place))
        entries_.erase(std::ranges::min_element(
            entries_, {}, [](const auto& each) { return each.second.old_at; }));
    entries_.insert_or_assign(place, Entry{std::move(addresses), now + kept_for});
}

}  // namespace weir::web::detail
