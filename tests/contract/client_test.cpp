// Requests of a program's coroutines to another server, under every engine.

#include <optional>
#include <string>
#include <thread>

#include "contract/echo_through_client.h"
#include "contract/web_fixture.h"
#include "support/temporary_path.h"
#include "weir/client/client.h"

namespace weir::tests {
namespace {

/// A program that asks a server of the test's handler.
struct WebClient : WebFixture {
    void SetUp() override {
        WebFixture::SetUp();
        upstream_options.connect = [this](http::Workspace& workspace, http::Origin& origin,
                                          Now now) {
            ++connections;
            return Server::connect_http1(workspace, origin, now);
        };
        upstream.emplace(*engines::find("per-core"), handler, upstream_options);
        router.get("/ask/{path...}", [this](web::Call call) -> web::Task<web::Response> {
            const Counted here{alive};
            auto response = co_await client.get(url(call.path().substr(4)) + "?" +
                                                std::string{call.request().query()});
            co_return web::text(co_await response.all(), response.status());
        });
    }
    void TearDown() override {
        web_server.reset();
        upstream.reset();
        WebFixture::TearDown();
    }
    std::string url(std::string_view path) const {
        return "http://" + upstream->address().text() + std::string{path};
    }

    std::atomic<int> connections{0};
    web::Client client;
    Server::Options upstream_options;
    std::optional<Server> upstream;
};
WEIR_OVER_EVERY_ENGINE(WebClient);

TEST_P(WebClient, AsksAgainOnTheSameConnection) {
    auto peer = web_client();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(peer.ask(get("/ask/hello")).content, "hello\n");
    EXPECT_EQ(peer.ask(get("/ask/status?code=404")).status, 404);
    EXPECT_EQ(connections, 1);
}

TEST_P(WebClient, AsksTwoAtOnce) {
    router.get("/both", [this](web::Call) -> web::Task<web::Response> {
        auto [one, two] = co_await web::when_all(client.get(url("/later?note=a&is=1")),
                                                 client.get(url("/later?note=a&is=2")));
        co_return web::text(co_await one.all() + co_await two.all());
    });
    auto peer = web_client();
    peer.send(get("/both"));
    for (int i = 0; i < 2; ++i) handler.journal.await("a handled");
    for (int i = 0; i < 2; ++i) handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later 1later 2");
}

TEST_P(WebClient, PassesContentBothWays) {
    echo_through(router, client, url("/echo"));
    auto peer = web_client();
    peer.send(post("/echo", pattern(0, 500'000)));
    expect_pattern(peer.answer().content, 500'000);
}

/// Of two addresses of localhost, the server has one.
TEST_P(WebClient, LooksNamesUp) {
    const auto port = std::to_string(upstream->address().port());
    router.get("/named", [this, port](web::Call) -> web::Task<web::Response> {
        auto response = co_await client.get("http://localhost:" + port + "/hello");
        co_return web::text(co_await response.all());
    });
    router.get("/unknown", [this](web::Call) -> web::Task<web::Response> {
        co_await client.get("http://does-not-exist.invalid/");
        co_return web::text("");
    });
    auto peer = web_client();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(peer.ask(get("/named")).content, "hello\n");
    EXPECT_EQ(peer.ask(get("/unknown")).status, 502);
}

TEST_P(WebClient, AsksAtAUnixSocket) {
    const auto path = temporary_path("weir-client-" + name_of_engine({GetParam(), 0}));
    upstream_options.addresses = {net::Address::parse("unix:" + path, 0).value()};
    Server other{*engines::find("per-core"), handler, upstream_options};
    web::Client to_socket{{.unix_socket = path}};
    router.get("/socket", [&](web::Call) -> web::Task<web::Response> {
        auto response = co_await to_socket.get("http://any/hello");
        co_return web::text(co_await response.all());
    });
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/socket")).content, "hello\n");
    peer.close();
    web_server.reset();
}

TEST_P(WebClient, ServerThatCantBeReachedIsABadGateway) {
    const net::UniqueFd nobody = bound_socket();
    const auto address = net::Address::of_socket(nobody.get())->text();
    router.get("/nobody", [&](web::Call) -> web::Task<web::Response> {
        co_await client.get("http://" + address);
        co_return web::text("");
    });
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/nobody")).status, 502);
    EXPECT_EQ(peer.ask(get("/ask/hello")).content, "hello\n");
    peer.close();
    web_server.reset();
}

TEST_P(WebClient, EndsWithTheRequestThatItServes) {
    if (const auto reason = nature_of(engine()).misses_resets; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    auto peer = web_client();
    peer.send(get("/ask/gated?note=a"));
    handler.journal.await("a handled");
    peer.reset();
    handler.journal.await("a streamed: peer gone");
    expect_all_gone();
}

TEST_P(WebClient, StopCutsWhatTheServerDoesNotAnswer) {
    auto peer = web_client();
    peer.send(get("/ask/never?note=a"));
    handler.journal.await("a handled");
    web_server->stop_now();
    EXPECT_FALSE(web_server->wait());
    expect_all_gone();
}

}  // namespace
}  // namespace weir::tests
