#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "http/client/client_connection.h"
#include "http/client/exchange.h"
#include "net/address.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// The connections to other servers. Each thread of an engine has its own: an exchange begins on a
/// connection of the thread that drives its user, so that both meet there. Any thread may call.
class Pool {
   public:
    /// `kept_max`: the most idle connections of a thread to one address.
    Pool(const http::Limits& limits, const http::client::ClientTimeouts& timeouts,
         std::size_t kept_max)
        : limits_{limits}, timeouts_{timeouts}, kept_max_{kept_max} {}

    /// Gives the exchange to a kept connection, or to a new one. `fresh`: only to a new one.
    /// Without a connection, the exchange fails as `unreachable`. Throws std::bad_alloc.
    void begin(const std::shared_ptr<http::client::Exchange>& exchange, const net::Address& address,
               const std::shared_ptr<http::Postbox>& postbox, bool fresh);

   private:
    class Kept;
    using Key = std::pair<const http::Postbox*, net::Address>;

    std::shared_ptr<Kept> shelf_for(const Key& key);
    void drop_unused();

    const http::Limits limits_;
    const http::client::ClientTimeouts timeouts_;
    const std::size_t kept_max_;
    std::mutex mutex_;
    std::map<Key, std::weak_ptr<Kept>> shelves_;  // a shelf lives as long as its connections
    std::size_t drop_at_ = 16;                    // the number of shelves for the next look
};

}  // namespace weir::upstream
