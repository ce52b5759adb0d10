#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "http/client/client_connection.h"
#include "http/client/client_layer.h"
#include "http/client/exchange.h"
#include "net/address.h"
#include "upstream/line.h"
#include "upstream/race.h"
#include "upstream/races.h"
#include "upstream/target.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// The settings of all connections of a pool.
struct PoolSettings {
    http::Limits limits{};
    http::client::ClientTimeouts timeouts{};
    /// The most idle connections of a thread to one server.
    std::size_t kept_max = 64;
    /// The most connections of a thread to one server; 0: no limit. Further exchanges wait for one.
    std::size_t connections_max = 0;
    /// The most exchanges of a thread that wait for one server.
    std::size_t waiting_max = 10'000;
    /// Of connections to servers that must prove their hosts; null: there are none.
    std::shared_ptr<http::client::ClientLayer> layer{};
};

/// The connections of one thread to one server. An idle one that was used last is used next: the
/// others can end.
class Connections final : public Shelf, public std::enable_shared_from_this<Connections> {
   public:
    using Exchange = std::shared_ptr<http::client::Exchange>;

    using Addresses = std::span<const net::Address>;

    /// `host`: that the server must prove; empty: its connections are plain.
    Connections(std::shared_ptr<const PoolSettings> settings, std::shared_ptr<Races> races,
                const std::shared_ptr<http::Postbox>& postbox, std::string host);

    /// See Pool::begin().
    bool begin(const Exchange& exchange, const Target& server, bool fresh);
    /// The next connections are made to these addresses. Connections to others close once they are
    /// idle.
    void lead_to(Addresses addresses);

    // For the connections.

    bool keep(std::shared_ptr<Line> line) noexcept override;
    void forget(const Line& line) noexcept override;

   private:
    std::shared_ptr<Line> take_idle() noexcept;
    bool start_on_idle(const Exchange& exchange) noexcept;
    Exchange take_waiting() noexcept;
    bool has_room() const noexcept;
    bool add_waiting(const Exchange& exchange);
    bool leads_to(const net::Address& address) const noexcept;
    bool begin_or_wait(const Exchange& exchange);
    std::vector<net::Address> addresses_to_try();
    std::shared_ptr<Line> make_line(const Exchange& exchange);
    void dial(const Exchange& exchange);
    void dial_for_waiting() noexcept;
    void run(Race race, http::Postbox& postbox, const std::shared_ptr<Line>& line);
    void end_race(Race& race, http::Postbox& postbox, std::shared_ptr<Line> line);
    void adopt(http::Postbox& postbox, std::shared_ptr<Line> line, net::UniqueFd socket);

    const std::shared_ptr<const PoolSettings> settings_;
    const std::shared_ptr<Races> races_;
    const std::weak_ptr<http::Postbox> postbox_;
    const std::string host_;
    const std::shared_ptr<http::client::LayerParts> parts_;  // null: no layer
    std::mutex mutex_;
    std::vector<net::Address> addresses_;
    bool has_moved_ = false;  // some connections may have other addresses
    net::Address winner_;     // of the last race: the first to be tried by the next one
    std::vector<std::shared_ptr<Line>> idle_;
    std::deque<Exchange> waiting_;
    std::size_t count_ = 0;  // of connections
    bool is_dialing_ = false;
};

}  // namespace weir::upstream
