// Each allocation that fails while a server passes requests on: it costs the requests and connections
// that it strikes, and nobody else.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.h"
#include "faults/failing_new.h"
#include "support/guarded_handler.h"
#include "support/plain_upstream.h"
#include "weir/proxy/proxy.h"

namespace weir::tests {
namespace {

struct ProxyMemory : Contract {
    ProxyMemory() {
        FailingNew::spare_this_thread();
        options.aside = [](const auto& work) { FailingNew::spare(work); };
        options.timeouts.handler = milliseconds{1'000};  // a completion may be lost
        proxy::Options settings;
        settings.routes = {{.path = "/", .servers = {upstream.url()}}};
        auto made = proxy::proxy_to(handler, settings);
        if (!made) throw Unexpected{made.error()};
        proxy = std::move(*made);
        guarded.emplace(*proxy);
    }
    ~ProxyMemory() override { FailingNew::clear(); }

    void exchange() try {
        auto peer = server->client();
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/a"))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(post("/b", std::string(100'000, 'x')))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/c"))));
    } catch (const TimedOut&) {
        ADD_FAILURE() << "neither a response nor an end";
    } catch (const Unexpected&) {
        EXPECT_NE(FailingNew::failed(), 0);  // only a struck connection is cut
    }

    PlainUpstream upstream{FailingNew::spare_this_thread};
    std::unique_ptr<proxy::ProxyHandler> proxy;
    std::optional<GuardedHandler> guarded;
    std::optional<Server> server;
};
WEIR_OVER_EVERY_ENGINE(ProxyMemory);

TEST_P(ProxyMemory, AllocationThatFailsCostsOneConnectionAtMost) {
    server.emplace(engine(), *guarded, options);
    exchange();
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        exchange();
        const bool reached = FailingNew::failed() != 0;
        FailingNew::clear();
        auto peer = server->client();
        EXPECT_EQ(peer.ask(get("/again")).content, "hello");
        if (!reached || HasFailure()) break;
    }
}

}  // namespace
}  // namespace weir::tests
