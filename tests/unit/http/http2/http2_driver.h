#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/budget.h"
#include "http/http2/http2_connection.h"
#include "support/http2_frames.h"
#include "unit/http/driver.h"

namespace weir::http {

using namespace std::chrono_literals;
namespace h2 = tests::http2;

/// Drives HTTP/2, and reads what is sent as a strict client does.
class Http2Driver final : public Driver {
   public:
    explicit Http2Driver(Handle handle, Limits l = {}, Timeouts t = {}, http2::Bounds bounds = {})
        : Driver{std::move(handle), l, t} {
        connection = std::make_unique<Http2Connection>(workspace, *this, now, bounds);
    }

    h2::Reader reader;
    std::size_t sent_bytes = 0;
    h2::Received& stream(h2::StreamId id) { return reader.stream(id); }

   private:
    void has_sent(std::string_view bytes) override {
        sent_bytes += bytes.size();
        reader.take(bytes);
    }
};

}  // namespace weir::http
