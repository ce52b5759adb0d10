#pragma once

#include <memory>
#include <string>
#include <utility>

#include "http/http1/http1_connection.h"
#include "unit/http/driver.h"

namespace weir::http {

/// Drives HTTP/1.
class ConnectionDriver final : public Driver {
   public:
    explicit ConnectionDriver(Handle handle, Limits l = {}, Timeouts t = {})
        : Driver{std::move(handle), l, t} {
        connection = std::make_unique<Http1Connection>(workspace, *this, now);
    }

    std::string sent;  // all that was transmitted; file bytes as '#'
    std::string take_sent() { return std::exchange(sent, {}); }

   private:
    void has_sent(std::string_view bytes) override { sent += bytes; }
};

inline const std::string date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
inline const std::string hello_answer =
    "HTTP/1.1 200 OK\r\n" + date + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

}  // namespace weir::http
