#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "http/client/client_connection.h"
#include "http/client/client_layer.h"
#include "http/client/exchange.h"
#include "net/address.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// The connections to other servers. Each thread of an engine has its own: an exchange begins on a
/// connection of the thread that drives its user, so that both meet there. Any thread may call.
class Pool {
   public:
    using Layer = std::shared_ptr<http::client::ClientLayer>;

    /// `kept_max`: the most idle connections of a thread to one server. `layer`: of connections to
    /// servers that are secure; null: there are none.
    Pool(const http::Limits& limits, const http::client::ClientTimeouts& timeouts,
         std::size_t kept_max, Layer layer = nullptr)
        : limits_{limits}, timeouts_{timeouts}, kept_max_{kept_max}, layer_{std::move(layer)} {}

    /// A server at one of its addresses.
    struct Place {
        const net::Address& address;
        const std::string& host;  // that it must prove; empty: its connections are plain
    };

    /// Gives the exchange to a kept connection, or to a new one. `fresh`: only to a new one.
    /// Without a connection, the exchange fails as `unreachable`, and without a layer for a place
    /// with a host as `insecure`. Throws std::bad_alloc.
    void begin(const std::shared_ptr<http::client::Exchange>& exchange, const Place& place,
               const std::shared_ptr<http::Postbox>& postbox, bool fresh);

   private:
    class Kept;
    using Key = std::tuple<const http::Postbox*, net::Address, std::string>;

    std::shared_ptr<Kept> shelf_for(const Key& key);
    void drop_unused();

    const http::Limits limits_;
    const http::client::ClientTimeouts timeouts_;
    const std::size_t kept_max_;
    const Layer layer_;
    std::mutex mutex_;
    std::map<Key, std::weak_ptr<Kept>> shelves_;  // a shelf lives as long as its connections
    std::size_t drop_at_ = 16;                    // the number of shelves for the next look
};

}  // namespace weir::upstream
