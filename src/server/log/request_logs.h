#pragma once

#include <memory>

#include "http/observer.h"
#include "server/log/access_log.h"

namespace weir::server {

/// The output for each request: an access log, lines on standard output, both or nothing.
class RequestLogs final : public http::Observer {
   public:
    std::unique_ptr<AccessLog> log;    // null: none
    std::unique_ptr<AccessLog> shown;  // null: none

    /// The observer of responses; null if there is no output. Valid until the logs change.
    http::Observer* observer() noexcept {
        if (log && shown) return this;
        return log ? log.get() : shown.get();
    }
    void answered(const http::Answered& answered) noexcept override {
        log->answered(answered);
        shown->answered(answered);
    }
};

}  // namespace weir::server
