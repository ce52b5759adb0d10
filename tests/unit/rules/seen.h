#pragma once

#include <string>

#include "weir/http/handler.h"

namespace weir::rules {

/// The site behind a rule. It answers with what it sees of the request: "prefix|path|query|user".
class Seen final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        std::string text{request.prefix()};
        text.append("|").append(request.path()).append("|").append(request.query());
        text.append("|").append(request.user());
        http::Response response;
        response.content(std::move(text));
        return response;
    }
};

/// A clock that the test turns.
inline Instant& test_time() {
    static Instant now{std::chrono::hours{1}};
    return now;
}
inline Instant test_clock() noexcept { return test_time(); }

}  // namespace weir::rules
