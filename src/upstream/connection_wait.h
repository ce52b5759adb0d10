#pragma once

#include <chrono>

#include "upstream/shared_exchange.h"
#include "weir/base/instant.h"

namespace weir::upstream {

/// The wait of an exchange for one of the connections that its server may have. A connection counts
/// the time of the exchange itself.
class ConnectionWait {
   public:
    /// `waits`: see Pool::begin(). A limit of 0 is none.
    void begin(bool waits, Instant now, std::chrono::milliseconds limit) noexcept {
        until_ = waits && limit != limit.zero() ? now + limit : never;
    }
    void end() noexcept { until_ = never; }
    /// True if the exchange has waited in vain. Then it is canceled.
    bool is_in_vain(SharedExchange& exchange, const SharedExchange::Seen& seen,
                    Instant now) noexcept {
        if (seen.has_begun) end();
        if (now < until_) return false;
        exchange.cancel();
        return true;
    }
    Instant until() const noexcept { return until_; }

   private:
    Instant until_ = never;
};

}  // namespace weir::upstream
