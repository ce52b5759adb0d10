#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rules/access/network.h"
#include "rules/seldom.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Answers 503 while a file is there, with the file as its page. Looks for it once a second at most,
/// when a request comes.
class Maintenance final : public http::Handler {
   public:
    struct Options {
        std::string file;
        /// Clients from these networks see the site meanwhile.
        std::vector<Network> exceptions{};
        Clock clock = system_clock;
    };
    /// `inner` must outlive it.
    Maintenance(Options options, http::Handler& inner)
        : options_{std::move(options)}, inner_{inner}, looks_{options_.clock, look_pause} {}

    http::Reply handle(const http::Request& request) override;

   private:
    void look();
    http::Response answer() const;

    const Options options_;
    http::Handler& inner_;
    Seldom looks_;
    std::atomic<bool> is_on_{false};
    mutable std::mutex mutex_;
    std::shared_ptr<const std::string> page_;  // guarded by the mutex; null: weir's own
};

}  // namespace weir::rules
