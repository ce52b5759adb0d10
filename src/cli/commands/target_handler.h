#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "server/timer.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// The response of `weir target`, and its delay.
struct TargetAnswer {
    enum class Waiting : std::uint8_t {
        none,
        sleep,  // blocks the thread that runs the handler
        spin,   // computes in the thread that runs the handler
        timer,  // blocks no thread: one timer responds to all requests
    };
    std::uint64_t bytes = 1'024;
    Waiting waiting = Waiting::none;
    std::chrono::microseconds delay{0};
    bool close = false;
};

/// Gives the same response to every request; see `weir target --help`. The content is made before
/// the first request.
class TargetHandler final : public http::Handler {
   public:
    explicit TargetHandler(const TargetAnswer& answer);

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response answer_to(const http::Request& request) const;
    http::Response fixed_answer(const http::Request& request) const;
    http::Response stream(const http::Request& request) const;
    http::Reply answer_later(const http::Request& request);

    const TargetAnswer answer_;
    const std::string content_;
    server::Timer timer_;
};

}  // namespace weir::cli
