#pragma once

#include <functional>
#include <memory>
#include <string>

#include "contract/contract.h"
#include "support/guarded_handler.h"
#include "support/plain_upstream.h"
#include "weir/proxy/proxy.h"

namespace weir::tests {

/// A handler that passes all requests on to a server of its own.
class PassingOn {
   public:
    /// `on_thread` is called first on the thread of that server.
    explicit PassingOn(
        http::Handler& inner, std::function<void()> on_thread = [] {})
        : upstream_{std::move(on_thread)}, proxy_{proxy_to(inner)}, guarded_{*proxy_} {}

    http::Handler& handler() { return guarded_; }

    /// Three requests, of which a fault may strike any: each has its answer or a refusal.
    static void ask(Client peer) {
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/a"))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(post("/b", std::string(100'000, 'x')))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/c"))));
    }
    /// That nobody else has suffered.
    static void expect_served(Client peer) { EXPECT_EQ(peer.ask(get("/again")).content, "hello"); }

   private:
    std::unique_ptr<proxy::ProxyHandler> proxy_to(http::Handler& inner) const {
        proxy::Options options;
        // Two addresses, of which the server has one.
        const std::string url =
            "http://localhost" + upstream_.url().substr(upstream_.url().rfind(':'));
        options.routes = {{.path = "/", .servers = {url}}};
        auto made = proxy::proxy_to(inner, std::move(options));
        if (!made) throw Unexpected{made.error()};
        return std::move(*made);
    }

    PlainUpstream upstream_;
    std::unique_ptr<proxy::ProxyHandler> proxy_;
    GuardedHandler guarded_;
};

}  // namespace weir::tests
