#include "client/names.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "upstream/look_up.h"

namespace weir::web::detail {
namespace {

Addresses look_up(upstream::Target& target) {
    static_cast<void>(upstream::look_up(target));
    return std::move(target.addresses);
}

/// The addresses have a port, which depends on the scheme of the URL, too.
std::string key_of(const upstream::Target& target) {
    return target.name + ':' + std::to_string(target.port);
}

}  // namespace

Task<Addresses> Names::find(upstream::Target& target, Instant now) {
    if (target.name.empty()) co_return std::move(target.addresses);
    if (auto known = kept(target, now)) co_return std::move(*known);
    auto found = co_await offload(lookers_, look_up, std::ref(target));
    if (found.empty()) co_return last(target);
    keep(target, found, now);
    co_return found;
}

std::optional<Addresses> Names::kept(const upstream::Target& server, Instant now) {
    const std::scoped_lock lock{mutex_};
    const auto found = entries_.find(key_of(server));
    if (found == entries_.end()) return std::nullopt;
    Entry& entry = found->second;
    if (now < entry.asked_at + (entry.is_doubted ? pause : kept_for)) return entry.addresses;
    entry.asked_at = now;
    entry.is_doubted = false;
    return std::nullopt;
}

Addresses Names::last(const upstream::Target& server) {
    const std::scoped_lock lock{mutex_};
    const auto found = entries_.find(key_of(server));
    return found == entries_.end() ? Addresses{} : found->second.addresses;
}

void Names::doubt(const upstream::Target& server) {
    const std::scoped_lock lock{mutex_};
    const auto found = entries_.find(key_of(server));
    if (found != entries_.end()) found->second.is_doubted = true;
}

/// The entry that is the oldest makes room.
void Names::keep(const upstream::Target& server, Addresses addresses, Instant now) {
    const std::string key = key_of(server);
    const std::scoped_lock lock{mutex_};
    if (entries_.size() >= kept_max && !entries_.contains(key))
        entries_.erase(std::ranges::min_element(
            entries_, {}, [](const auto& each) { return each.second.asked_at; }));
    entries_.insert_or_assign(key, Entry{std::move(addresses), now});
}

}  // namespace weir::web::detail
