#pragma once

#include <string>

#include "weir/http/handler.h"

namespace weir::rules {

/// The site behind a rule. It answers with what it sees of the request: "prefix|path|query".
class Seen final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        std::string text{request.prefix()};
        text.append("|").append(request.path()).append("|").append(request.query());
        http::Response response;
        response.content(std::move(text));
        return response;
    }
};

}  // namespace weir::rules
