#pragma once

#include <memory>

#include "http/observer.h"
#include "server/access_log.h"

namespace weir::server {

/// What is written of each request: an access log, lines for a person who watches, both or nothing.
class RequestLogs final : public http::Observer {
   public:
    std::unique_ptr<AccessLog> log;    // null: none
    std::unique_ptr<AccessLog> shown;  // null: none

    /// Who is to be told of answers; null where nothing is written. Until the logs change.
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
