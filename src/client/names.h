#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "net/address.h"
#include "upstream/look_up.h"
#include "upstream/names.h"
#include "upstream/target.h"
#include "weir/base/instant.h"
#include "weir/web/await.h"
#include "weir/web/task.h"

namespace weir::web::detail {

using Addresses = std::vector<net::Address>;

/// The addresses of servers. getaddrinfo(3) runs on threads of its own, and its results are kept
/// for a while; failures are not: the last result stays. Thread-safe.
class Names {
   public:
    static constexpr std::chrono::seconds kept_for{30};
    static constexpr std::chrono::seconds pause = upstream::LookUps::pause;
    static constexpr std::size_t kept_max = 1'000;

    /// Empty if the server has none. The target is borrowed until the task ends.
    Task<Addresses> find(upstream::Target& target, Instant now);

    /// Kept addresses. Of those that are too old, one caller is told to look them up again; the
    /// others go on with them.
    std::optional<Addresses> kept(const upstream::Target& server, Instant now);
    /// There was a connection to none of the addresses: they are looked up again, but at most once
    /// in `pause`.
    void doubt(const upstream::Target& server);
    /// The last addresses, however old; empty if there are none.
    Addresses last(const upstream::Target& server);
    void keep(const upstream::Target& server, Addresses addresses, Instant now);

   private:
    struct Entry {
        Addresses addresses;
        Instant asked_at;
        bool is_doubted = false;
    };

    std::mutex mutex_;
    std::map<std::string, Entry> entries_;
    Workers lookers_{2};
};

}  // namespace weir::web::detail
