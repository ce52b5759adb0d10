#include "weir/web/probe.h"

#include <gtest/gtest.h>

#include <string>

#include "weir/web/response.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct Probing : ::testing::Test {
    Router router;
    Probe probe{router};
};

TEST_F(Probing, SpeaksHttp) {
    router.get("/", [](const Call& call) {
        return text(std::string(100'000, 'x') + std::string{call.request().authority()});
    });
    const auto answer = probe.get("/");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("date"), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(answer.content.size(), 100'009u);
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(probe.get("no-target").status, 400u);
    EXPECT_EQ(probe.get("/", {{"Host", "a"}, {"Host", "b"}}).status, 400u);
}

TEST_F(Probing, TurnsTheClock) {
    router.get("/", [] { return Response{}; });
    probe.advance(2500ms);
    EXPECT_EQ(probe.get("/").field("Date"), "Sun, 06 Nov 1994 08:49:39 GMT");
}

TEST_F(Probing, KeepsDeadlines) {
    router.get("/", [](Call call) { static_cast<void>(call.now()); });
    router.post("/", [](const Call&) { return Response{}; });
    auto slow = probe.open("POST", "/", {{"Content-Length", "10"}}, "abc");
    probe.advance(29s);
    EXPECT_EQ(slow.answer().status, 0u);
    probe.advance(1s);
    EXPECT_EQ(slow.answer().status, 408u);
}

TEST_F(Probing, ContentThatIsTakenLater) {
    router.get("/", [] { return text(std::string(100'000, 'x')); });
    auto exchange = probe.open("GET", "/");
    EXPECT_TRUE(exchange.answer().is_complete);
}

}  // namespace
}  // namespace weir::web
