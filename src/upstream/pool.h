#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "http/client/exchange.h"
#include "net/address.h"
#include "upstream/connections.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// The connections to other servers. Each thread of an engine has its own: an exchange begins on a
/// connection of the thread that drives its user, so that both meet there. Any thread may call.
class Pool {
   public:
    explicit Pool(PoolSettings settings)
        : settings_{std::make_shared<const PoolSettings>(std::move(settings))} {}

    /// A server at one of its addresses.
    struct Place {
        const net::Address& address;
        const std::string& host;  // that it must prove; empty: its connections are plain
    };

    /// Gives the exchange to a kept connection, or to a new one. `fresh`: only to a new one. If the
    /// server has all connections that it may have, the exchange waits for one. It fails as `busy`
    /// if too many wait, as `unreachable` without a connection, and as `insecure` without a layer
    /// for a host to be proven. Throws std::bad_alloc.
    void begin(const std::shared_ptr<http::client::Exchange>& exchange, const Place& place,
               const std::shared_ptr<http::Postbox>& postbox, bool fresh);

   private:
    using Key = std::tuple<const http::Postbox*, net::Address, std::string>;

    std::shared_ptr<Connections> connections_for(const Place& place,
                                                 const std::shared_ptr<http::Postbox>& postbox);
    void drop_unused();

    const std::shared_ptr<const PoolSettings> settings_;
    std::mutex mutex_;
    // Each lives as long as its connections. A look-up copies no key.
    std::map<Key, std::weak_ptr<Connections>, std::less<>> all_;
    std::size_t drop_at_ = 16;  // the size of `all_` for the next look
};

}  // namespace weir::upstream
