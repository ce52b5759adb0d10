#pragma once

#include <string>
#include <utility>

#include "weir/client/client.h"
#include "weir/web.h"

namespace weir::tests {

/// POST /echo of the router passes its content on to `url`, and the response back, a piece at a
/// time. The client must outlive the router's requests.
inline void echo_through(web::Router& router, web::Client& client, const std::string& url) {
    router.post("/echo", [&client, url](web::Call call) -> web::Task<web::Response> {
        auto body = call.body();
        auto upload = co_await client.upload(web::ClientRequest{"POST", url});
        while (const auto piece = co_await body.next()) co_await upload.write(*piece);
        auto response = co_await upload.response();
        auto pass = [response = std::move(response)](web::Stream out) mutable -> web::Task<> {
            while (const auto piece = co_await response.next()) co_await out.write(*piece);
        };
        co_return web::stream(call, "text/plain", std::move(pass));
    });
}

}  // namespace weir::tests
