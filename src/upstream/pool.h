#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "http/client/exchange.h"
#include "upstream/connections.h"
#include "upstream/races.h"
#include "upstream/target.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// The connections to other servers. Each thread of an engine has its own: an exchange begins on a
/// connection of the thread that drives its user, so that both meet there. Any thread may call.
class Pool {
   public:
    explicit Pool(PoolSettings settings)
        : settings_{std::make_shared<const PoolSettings>(std::move(settings))} {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() { races_->stop(); }

    /// Gives the exchange to a kept connection, or to a new one. `fresh`: only to a new one. Returns
    /// true if the server has all connections that it may have: the exchange waits for one, or has
    /// failed as `busy`, because too many wait. It fails as `unreachable` if there is a connection to none of the
    /// server's addresses, and as `insecure` without a layer for a host to be proven. Throws
    /// std::bad_alloc.
    bool begin(const std::shared_ptr<http::client::Exchange>& exchange, const Target& server,
               const std::shared_ptr<http::Postbox>& postbox, bool fresh);

    /// The servers of this URL have these addresses from now on: see Connections::lead_to().
    void lead_to(std::string_view url, Connections::Addresses addresses);

   private:
    using Key = std::tuple<const http::Postbox*, std::string>;

    std::shared_ptr<Connections> connections_for(const Target& server,
                                                 const std::shared_ptr<http::Postbox>& postbox);
    void drop_unused();

    const std::shared_ptr<const PoolSettings> settings_;
    const std::shared_ptr<Races> races_ = std::make_shared<Races>();
    std::mutex mutex_;
    // Each lives as long as its connections. A look-up copies no key.
    std::map<Key, std::weak_ptr<Connections>, std::less<>> all_;
    std::size_t drop_at_ = 16;  // the size of `all_` for the next look
};

}  // namespace weir::upstream
