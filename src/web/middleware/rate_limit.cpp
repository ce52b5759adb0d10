#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "web/calling/errors.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

using Microseconds = std::int64_t;

/// The generic cell rate algorithm: each client has a time at which all its requests would have
/// been sent at the even rate. This time may be ahead of the clock by as much as the burst.
class RateLimit final : public Middleware {
   public:
    explicit RateLimit(RateLimitOptions options)
        : options_{std::move(options)},
          interval_{static_cast<Microseconds>(1e6 / options_.per_second)},
          tolerance_{interval_ * (static_cast<Microseconds>(options_.burst) - 1)} {}
    std::string_view name() const noexcept override { return "rate_limit"; }

    std::optional<Response> before(const Call& call) override {
        const Microseconds now = call.now().time_since_epoch().count();
        const Microseconds wait = take(options_.key ? options_.key(call) : client_of(call), now);
        if (wait == 0) return std::nullopt;
        constexpr Microseconds second = 1'000'000;
        return detail::response_to(call.state(), {.kind = Error::Kind::limited,
                                                  .status = Status::too_many_requests})
            .set("Retry-After", std::to_string((wait + second - 1) / second));
    }

   private:
    /// "2001:db8:1:2" of "2001:db8:1:2::7": a network of 64 bits is one client.
    static std::string client_of(const Call& call) {
        std::string address = call.peer_address();
        const std::size_t gap = address.find("::");
        if (gap == 0) return address;
        std::size_t end = 0;
        for (int colons = 0; end < address.size(); ++end)
            if (end == gap || (address[end] == ':' && ++colons == 4)) break;
        address.resize(end);
        return address;
    }

    /// Returns the time that the client has to wait; 0: it may go on.
    Microseconds take(std::string key, Microseconds now) {
        const std::scoped_lock lock{mutex_};
        Microseconds& paid_until = entry(std::move(key), now);
        const Microseconds from = std::max(paid_until, now);
        if (from - now > tolerance_) return from - now - tolerance_;
        paid_until = from + interval_;
        return 0;
    }

    Microseconds& entry(std::string&& key, Microseconds now) {
        const auto known = clients_.find(key);
        if (known != clients_.end()) return known->second;
        if (clients_.size() >= options_.clients_max) forget(now);
        if (clients_.size() >= options_.clients_max) return others_;
        return clients_[std::move(key)];
    }
    /// Forgets the clients that have nothing to wait for; at most once in each interval of a burst.
    void forget(Microseconds now) {
        if (now < forget_again_at_) return;
        forget_again_at_ = now + std::max(tolerance_, Microseconds{100'000});
        std::erase_if(clients_, [now](const auto& client) { return client.second <= now; });
    }

    const RateLimitOptions options_;
    const Microseconds interval_;   // between two requests at the even rate
    const Microseconds tolerance_;  // a request may be early by this time
    std::mutex mutex_;
    std::unordered_map<std::string, Microseconds>
        clients_;  // guarded by the mutex, like the next two
    Microseconds others_ = 0;
    Microseconds forget_again_at_ = 0;
};

}  // namespace

std::shared_ptr<Middleware> rate_limit(RateLimitOptions options) {
    if (!(options.per_second > 0) || options.burst == 0)
        throw std::invalid_argument{"a rate limit must allow some requests"};
    return std::make_shared<RateLimit>(std::move(options));
}

}  // namespace weir::web
