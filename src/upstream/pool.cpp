#include "upstream/pool.h"

#include <string_view>
#include <vector>

namespace weir::upstream {

using http::client::Exchange;
using http::client::Failure;

bool Pool::begin(const std::shared_ptr<Exchange>& exchange, const Target& server,
                 const std::shared_ptr<http::Postbox>& postbox, bool fresh) {
    if (!server.host.empty() && !settings_->layer) {
        exchange->fail(Failure::insecure);
        return false;
    }
    return connections_for(server, postbox)->begin(exchange, server, fresh);
}

std::shared_ptr<Connections> Pool::connections_for(const Target& server,
                                                   const std::shared_ptr<http::Postbox>& postbox) {
    const std::scoped_lock lock{mutex_};
    const std::tuple<const http::Postbox*, std::string_view> key{postbox.get(), server.url};
    if (const auto known = all_.find(key); known != all_.end())
        if (auto connections = known->second.lock()) return connections;
    if (all_.size() >= drop_at_) drop_unused();
    auto connections = std::make_shared<Connections>(settings_, races_, postbox, server.host);
    all_.insert_or_assign(Key{postbox.get(), server.url}, connections);
    return connections;
}

void Pool::lead_to(std::string_view url, Connections::Addresses addresses) {
    std::vector<std::shared_ptr<Connections>> led;
    {
        const std::scoped_lock lock{mutex_};
        for (const auto& [key, connections] : all_)
            if (auto each = connections.lock(); each && std::get<1>(key) == url)
                led.push_back(std::move(each));
    }
    for (const auto& each : led) each->lead_to(addresses);
}

/// The threads of some engines come and go, and their connections with them.
void Pool::drop_unused() {
    std::erase_if(all_, [](const auto& each) { return each.second.expired(); });
    drop_at_ = 2 * all_.size() + 16;
}

}  // namespace weir::upstream
