#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "access/memory/clock.h"
#include "access/request/network.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// See close_for_maintenance().
class Maintenance final : public http::Handler {
   public:
    Maintenance(http::Handler& inner, std::string file, access::NetworkList except,
                access::Clock clock)
        : inner_{inner}, file_{std::move(file)}, except_{std::move(except)}, clock_{clock} {}

    http::Reply handle(const http::Request& request) override;

   private:
    bool is_time() noexcept;
    void look();
    http::Response answer() const;

    http::Handler& inner_;
    const std::string file_;
    const access::NetworkList except_;
    const access::Clock clock_;
    std::atomic<Instant::rep> look_at_{Instant::min().time_since_epoch().count()};
    std::atomic<bool> is_on_{false};
    mutable std::mutex mutex_;
    std::shared_ptr<const std::string> page_;  // guarded by the mutex; null: weir's own
};

}  // namespace weir::rules
