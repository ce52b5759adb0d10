#include "upstream/pool.h"

namespace weir::upstream {

using http::client::Exchange;
using http::client::Failure;

void Pool::begin(const std::shared_ptr<Exchange>& exchange, const Place& place,
                 const std::shared_ptr<http::Postbox>& postbox, bool fresh) {
    if (!place.host.empty() && !settings_->layer) return exchange->fail(Failure::insecure);
    connections_for(place, postbox)->begin(exchange, fresh);
}

std::shared_ptr<Connections> Pool::connections_for(const Place& place,
                                                   const std::shared_ptr<http::Postbox>& postbox) {
    const std::scoped_lock lock{mutex_};
    const std::tuple<const http::Postbox*, const net::Address&, const std::string&> key{
        postbox.get(), place.address, place.host};
    if (const auto known = all_.find(key); known != all_.end())
        if (auto connections = known->second.lock()) return connections;
    if (all_.size() >= drop_at_) drop_unused();
    auto connections = std::make_shared<Connections>(settings_, postbox, place.address, place.host);
    all_.insert_or_assign(Key{key}, connections);
    return connections;
}

/// The threads of some engines come and go, and their connections with them.
void Pool::drop_unused() {
    std::erase_if(all_, [](const auto& each) { return each.second.expired(); });
    drop_at_ = 2 * all_.size() + 16;
}

}  // namespace weir::upstream
