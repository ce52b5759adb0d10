#include "rules/auth/tries.h"

#include <algorithm>

namespace weir::rules {

std::chrono::seconds Tries::take(const Peer& peer, Instant now) {
    if (max_ == 0 || peer.kind == Peer::Kind::unix_socket) return std::chrono::seconds{0};
    const std::scoped_lock lock{mutex_};
    Count& count = count_of(peer, now);
    if (now >= count.until) count = {.tries = 0, .until = now + span};
    if (count.tries >= max_) return std::chrono::ceil<std::chrono::seconds>(count.until - now);
    ++count.tries;
    return std::chrono::seconds{0};
}

void Tries::give_back(const Peer& peer) noexcept {
    const std::scoped_lock lock{mutex_};
    const auto known = clients_.find(key_of(peer));
    Count& count = known != clients_.end() ? known->second : others_;
    if (count.tries > 0) --count.tries;
}

Tries::Key Tries::key_of(const Peer& peer) noexcept {
    const Peer client = peer.client();
    Key key{static_cast<std::uint8_t>(client.kind)};
    std::ranges::copy(client.bytes, key.begin() + 1);
    return key;
}

Tries::Count& Tries::count_of(const Peer& peer, Instant now) {
    const Key key = key_of(peer);
    const auto known = clients_.find(key);
    if (known != clients_.end()) return known->second;
    if (clients_.size() >= clients_max && now >= forget_again_at_) {
        forget_again_at_ = now + std::chrono::seconds{1};
        std::erase_if(clients_, [now](const auto& client) { return now >= client.second.until; });
    }
    return clients_.size() < clients_max ? clients_[key] : others_;
}

}  // namespace weir::rules
