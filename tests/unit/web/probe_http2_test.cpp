#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/early_hints.h"
#include "weir/web/probe.h"
#include "weir/web/probe_socket.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct ProbingHttp2 : ::testing::Test {
    Router router;
    Probe probe{router};

    ProbingHttp2() {
        probe.speak(Probe::Protocol::http2);
        router.get("/{$}", [](const Call& call) {
            return text(std::string{call.request().authority()}.append(" ").append(
                call.field("X-Of-Mine").value_or("")));
        });
        router.get("/large", [] { return text(std::string(3'000'000, 'x')); });
        router.post("/echo", [](Call call) -> Task<Response> {
            std::string all;
            auto body = call.body();
            while (const auto piece = co_await body.next()) all += *piece;
            co_return text(std::move(all));
        });
        router.get("/stream", [](const Call& call) {
            return stream(call, "text/plain", [](Stream out) -> Task<> {
                co_await out.write("one");
                co_await sleep_for(1s);
                throw std::runtime_error{"no more"};
            });
        });
    }
};

TEST_F(ProbingHttp2, Asks) {
    const auto answer = probe.get("/", {{"Host", "example.org"}, {"X-Of-Mine", "7"}});
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.content, "example.org 7");
    EXPECT_EQ(answer.fields.front().first, "date") << "names are in lower case";
    EXPECT_EQ(answer.field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(probe.get("/").content, "localhost ");
    EXPECT_EQ(probe.get("/nowhere").status, 404u);
    EXPECT_TRUE(probe.ask("HEAD", "/large").is_complete);
    EXPECT_EQ(probe.get("/large").content.size(), 3'000'000u);
}

TEST_F(ProbingHttp2, SendsContent) {
    const std::string large(300'000, 'y');
    EXPECT_EQ(probe.post("/echo", large).content, large) << "more than the windows at the start";
    EXPECT_EQ(probe.post("/echo", "").content, "");
    auto exchange = probe.open("POST", "/echo", {{"Content-Length", "6"}}, "abc");
    EXPECT_EQ(exchange.answer().status, 0u);
    exchange.send("def");
    EXPECT_EQ(exchange.answer().content, "abcdef");
    auto ended = probe.open("POST", "/echo", {{"Content-Length", "6"}}, "abc");
    ended.end();
    EXPECT_FALSE(ended.wait().is_complete) << "less than it said: a reset";
}

TEST_F(ProbingHttp2, SeesAResponseThatIsReset) {
    auto exchange = probe.open("GET", "/stream");
    EXPECT_EQ(exchange.answer().content, "one");
    probe.advance(1s);
    EXPECT_FALSE(exchange.wait().is_complete);
    EXPECT_EQ(probe.failures().size(), 1u);
}

TEST_F(ProbingHttp2, PlaysPeersThatReadNothingOrLeave) {
    auto blocked = probe.open_blocked("GET", "/large");
    EXPECT_EQ(blocked.answer().status, 0u);
    blocked.take(true);
    EXPECT_TRUE(blocked.answer().is_complete);
    auto leaving = probe.open("GET", "/stream");
    leaving.leave();
    EXPECT_FALSE(leaving.wait().is_complete);
}

TEST_F(ProbingHttp2, SeesHints) {
    router.get("/hints", [](Call call) -> Task<Response> {
        co_await early_hints(call, "</a>; rel=preload");
        co_return text("page");
    });
    const auto answer = probe.get("/hints");
    EXPECT_EQ(answer.content, "page");
    EXPECT_EQ(answer.hints, (std::vector<Probe::Fields>{{{"link", "</a>; rel=preload"}}}));
}

TEST_F(ProbingHttp2, OpensWebSockets) {
    router.get("/socket", websocket([](WebSocket socket) -> Task<> {
                   while (const auto message = co_await socket.receive())
                       co_await socket.send(*message);
               }));
    ProbeSocket peer{probe, "/socket"};
    const std::string large(200'000, 'z');
    peer.send(large);
    EXPECT_EQ(peer.receive(), large);
    peer.close();
    EXPECT_EQ(peer.receive(), std::nullopt);
    EXPECT_EQ(peer.close_code(), CloseCode::normal);
    EXPECT_THROW((ProbeSocket{probe, "/large"}), std::runtime_error);
}

}  // namespace
}  // namespace weir::web
