#pragma once

#include <functional>
#include <utility>

#include "weir/http/handler.h"

namespace weir::server {

class FunctionHandler final : public http::Handler {
   public:
    using Function = std::function<http::Reply(const http::Request&)>;

    explicit FunctionHandler(Function function) : function_{std::move(function)} {}
    http::Reply handle(const http::Request& request) override { return function_(request); }

   private:
    Function function_;
};

}  // namespace weir::server
