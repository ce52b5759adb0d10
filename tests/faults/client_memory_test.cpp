// Each allocation that fails while a program asks another server: it costs the requests and
// connections that it strikes, and nobody else.

#include "faults/outgoing_memory.h"
#include "support/guarded_handler.h"
#include "support/plain_upstream.h"
#include "weir/client/client.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

struct ClientMemory : OutgoingMemory {
    ClientMemory() {
        router.get("/{path}", [this](web::Call) -> web::Task<web::Response> {
            auto response = co_await client.get(upstream.url());
            co_return web::text(co_await response.all(), response.status());
        });
        router.post("/{path}", [this](web::Call call) -> web::Task<web::Response> {
            auto upload = co_await client.upload(web::ClientRequest{"POST", upstream.url()},
                                                 call.request().content_length());
            auto body = call.body();
            while (const auto piece = co_await body.next()) co_await upload.write(*piece);
            auto response = co_await upload.response();
            co_return web::text(co_await response.all(), response.status());
        });
    }

    PlainUpstream upstream{FailingNew::spare_this_thread};
    web::Client client;
    web::Router router;
    GuardedHandler guarded{router};
};
WEIR_OVER_EVERY_ENGINE(ClientMemory);

TEST_P(ClientMemory, AllocationThatFailsCostsOneConnectionAtMost) { fail_each(guarded); }

}  // namespace
}  // namespace weir::tests
