// Each allocation that fails while a program asks another server: it costs the requests and
// connections that it strikes, and nobody else.

#include <optional>
#include <string>

#include "contract/contract.h"
#include "faults/failing_new.h"
#include "support/guarded_handler.h"
#include "support/plain_upstream.h"
#include "weir/client/client.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

struct ClientMemory : Contract {
    ClientMemory() {
        FailingNew::spare_this_thread();
        options.aside = [](const auto& work) { FailingNew::spare(work); };
        options.timeouts.handler = milliseconds{1'000};  // a completion may be lost
        router.get("/", [this](web::Call) -> web::Task<web::Response> {
            auto response = co_await client.get(upstream.url());
            co_return web::text(co_await response.all(), response.status());
        });
        router.post("/", [this](web::Call call) -> web::Task<web::Response> {
            auto upload = co_await client.upload(web::ClientRequest{"POST", upstream.url()},
                                                 call.request().content_length());
            auto body = call.body();
            while (const auto piece = co_await body.next()) co_await upload.write(*piece);
            auto response = co_await upload.response();
            co_return web::text(co_await response.all(), response.status());
        });
    }
    ~ClientMemory() override { FailingNew::clear(); }

    /// Three requests, of which a fault may strike any: each has its answer or a refusal.
    void exchange() try {
        Client peer = server->client();
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/"))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(post("/", std::string(100'000, 'x')))));
        EXPECT_TRUE(is_hello_or_refusal(peer.ask(get("/"))));
    } catch (const TimedOut&) {
        ADD_FAILURE() << "neither a response nor an end";
    } catch (const Unexpected&) {
        EXPECT_NE(FailingNew::failed(), 0);  // only a struck connection is cut
    }

    PlainUpstream upstream{FailingNew::spare_this_thread};
    web::Client client;
    web::Router router;
    GuardedHandler guarded{router};
    std::optional<Server> server;
};
WEIR_OVER_EVERY_ENGINE(ClientMemory);

TEST_P(ClientMemory, AllocationThatFailsCostsOneConnectionAtMost) {
    server.emplace(engine(), guarded, options);
    exchange();
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        exchange();
        const bool reached = FailingNew::failed() != 0;
        FailingNew::clear();
        EXPECT_EQ(server->client().ask(get("/")).content, "hello");
        if (!reached || HasFailure()) break;
    }
}

}  // namespace
}  // namespace weir::tests
