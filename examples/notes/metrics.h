// Counts requests by route and status, as Prometheus reads them.
#pragma once

#include <weir/web.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

class Metrics {
   public:
    /// Several threads call it, at the end of each request.
    void count(std::string_view route, weir::http::Status status) {
        const std::scoped_lock lock{mutex_};
        ++requests_[{std::string{route}, weir::http::code(status)}];
    }
    std::string text() const {
        const std::scoped_lock lock{mutex_};
        std::string lines = "# TYPE http_requests counter\n";
        for (const auto& [key, count] : requests_)
            lines += "http_requests_total{route=\"" + key.first + "\",status=\"" +
                     std::to_string(key.second) + "\"} " + std::to_string(count) + "\n";
        return lines + "# EOF\n";
    }

   private:
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, unsigned>, unsigned long> requests_;
};
