// Sessions in memory, under every engine.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "contract/web_fixture.h"
#include "support/counted_store.h"

namespace weir::tests {
namespace {

using web::Call;
using web::Session;
using web::Task;

struct SessionsContract : WebFixture {
    void SetUp() override {
        Contract::SetUp();
        router.get("/set/{key}/{value}", [](const Call& call) {
            Session::of(call).set(call.parameter("key"), std::string{call.parameter("value")});
            return "set";
        });
        router.get("/late/{key}/{value}", [this](Call call) -> Task<web::Response> {
            co_await web::offload(background, [] {});
            Session::of(call).set(call.parameter("key"), std::string{call.parameter("value")});
            co_return web::text("late");
        });
        router.get("/read/{key}", [](const Call& call) {
            return std::string{Session::of(call).get(call.parameter("key")).value_or("nothing")};
        });
        router.get("/renew", [](const Call& call) {
            Session::of(call).renew();
            return "renewed";
        });
    }
    /// The line for a request that has the cookie of this answer.
    static std::string cookie_line(const Answer& answer) {
        const std::string line = answer.field("Set-Cookie").value_or("");
        return "Cookie: " + line.substr(0, line.find(';')) + "\r\n";
    }
};
WEIR_OVER_EVERY_ENGINE(SessionsContract);

/// One connection is in one process, also with the engines that fork.
TEST_P(SessionsContract, BelongToTheirCookie) {
    const auto store = std::make_shared<CountedStore>();
    store->is_slow = true;
    router.use(web::sessions(store));
    auto peer = web_client();
    const std::string ann = cookie_line(peer.ask(get("/set/user/ann")));
    const std::string bob = cookie_line(peer.ask(get("/late/user/bob")));
    EXPECT_EQ(peer.ask(get("/read/user", ann)).content, "ann");
    EXPECT_EQ(peer.ask(get("/read/user", bob)).content, "bob");
    EXPECT_EQ(peer.ask(get("/read/user")).content, "nothing");
    const std::string renewed = cookie_line(peer.ask(get("/renew", ann)));
    EXPECT_EQ(peer.ask(get("/read/user", renewed)).content, "ann");
    EXPECT_EQ(peer.ask(get("/read/user", ann)).content, "nothing");
}

TEST_P(SessionsContract, RequestsAtTheSameTimeLoseNoKey) {
    if (engine().forks) GTEST_SKIP() << engine().name << ": processes share no memory";
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    router.use(web::sessions(web::memory_sessions()));
    const std::string cookie = cookie_line(web_client().ask(get("/set/user/ann")));
    std::vector<std::thread> browsers;
    for (int browser = 0; browser < 4; ++browser)
        browsers.emplace_back([&, peer = web_client(), key = std::to_string(browser)]() mutable {
            for (int i = 0; i <= 20; ++i) {
                const char* const how = i % 2 == 0 ? "/set/" : "/late/";
                EXPECT_EQ(peer.ask(get(how + key + "/" + std::to_string(i), cookie)).status, 200);
            }
        });
    for (std::thread& browser : browsers) browser.join();
    for (int browser = 0; browser < 4; ++browser)
        EXPECT_EQ(web_client().ask(get("/read/" + std::to_string(browser), cookie)).content, "20");
}

}  // namespace
}  // namespace weir::tests
