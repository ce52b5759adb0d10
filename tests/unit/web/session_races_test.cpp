#include <gtest/gtest.h>

#include <string>

#include "unit/web/session_fixture.h"
#include "weir/web/flag.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Requests of one session at the same time: each waits within its handler for the flag.
struct SessionRaces : SessionFixture {
    Flag go_on;

    SessionRaces() {
        router.get("/late/{key}/{value}", [this](Call call) -> Task<Response> {
            co_await go_on.wait();
            Session::of(call).set(call.parameter("key"), std::string{call.parameter("value")});
            co_return Response{};
        });
        router.get("/late", [this](Call call) -> Task<Response> {
            co_await go_on.wait();
            co_return text(std::string{Session::of(call).get("user").value_or("nothing")});
        });
    }
};

TEST_F(SessionRaces, TheLastOneWinsKeyByKey) {
    use();
    get("/set/user/ann");
    auto late = probe.open("GET", "/late/theme/dark", fields());
    get("/set/user/bob");
    get("/set/theme/light");
    go_on.set();
    EXPECT_EQ(late.wait().status, 200u);
    EXPECT_EQ(read("user") + read("theme"), "bobdark") << "the late one has not set the user";
}

TEST_F(SessionRaces, AReaderOverwritesNothing) {
    use({.idle = 100s});
    get("/set/user/ann");
    now += 50s;  // the reader stores the time
    auto reader = probe.open("GET", "/late", fields());
    get("/set/user/bob");
    now += 50s;
    go_on.set();
    EXPECT_EQ(reader.wait().content, "ann") << "a request has a copy of its own";
    EXPECT_EQ(read("user"), "bob");
    EXPECT_EQ(store->updates, 2);
}

TEST_F(SessionRaces, AnEndedSessionStaysEnded) {
    use({.outlives_browser = true});
    for (const char* const end : {"/clear", "/renew"}) {
        SCOPED_TRACE(end);
        go_on = Flag{};
        cookie.clear();
        get("/set/user/ann");
        const Probe::Fields before = fields();
        auto late = probe.open("GET", "/late/user/eve", before);
        get(end);
        go_on.set();
        const auto answer = late.wait();
        EXPECT_EQ(answer.status, 200u);
        EXPECT_EQ(answer.field("Set-Cookie"), "") << "the client has another cookie by now";
        EXPECT_EQ(probe.get("/read/user", before).content, "nothing");
    }
}

}  // namespace
}  // namespace weir::web
