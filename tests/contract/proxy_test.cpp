// Connections that the server opens itself, under every engine: requests that another server
// answers.

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "contract/contract.h"
#include "http/http2/prior_knowledge.h"
#include "support/http2_client.h"
#include "support/websocket_frames.h"
#include "weir/proxy/proxy.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

bool can_bind(const net::Address& address) {
    const net::UniqueFd socket{::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    return socket && ::bind(socket.get(), address.data(), address.size()) == 0;
}

/// The engine under test passes requests on to a server of its own engine.
struct Proxy : Contract {
    Proxy() {
        upstream_options.connect = [this](http::Workspace& workspace, http::Origin& origin,
                                          Now now) {
            ++connections;
            return Server::connect_http1(workspace, origin, now);
        };
    }
    void TearDown() override {
        front.reset();
        upstream.reset();
        Contract::TearDown();
    }

    static const engines::Engine& upstream_engine() { return *engines::find("per-core"); }

    /// All paths go to `handler`.
    Client through(Client::Options of_client = {}) {
        if (!upstream) upstream.emplace(upstream_engine(), handler, upstream_options);
        if (!front) {
            if (proxy_options.routes.empty())
                proxy_options.routes = {{.path = "/", .servers = {url(*upstream)}}};
            auto made = proxy::proxy_to(nothing, proxy_options);
            if (!made) throw Unexpected{made.error()};
            proxy = std::move(*made);
            front.emplace(engine(), *proxy, options);
        }
        return front->client(of_client);
    }
    /// Sends back each message of a WebSocket at /socket.
    void start_echoing_upstream() {
        router.get("/socket", web::websocket([](web::WebSocket socket) -> web::Task<> {
                       while (const auto message = co_await socket.receive())
                           co_await socket.send(*message);
                   }));
        upstream.emplace(upstream_engine(), router, upstream_options);
    }
    static std::string url(const Server& server) { return "http://" + server.address().text(); }
    /// A URL at which nothing listens, for as long as the test runs.
    std::string url_of_nobody() {
        bound = bound_socket();
        return "http://" + net::Address::of_socket(bound.get())->text();
    }

    net::UniqueFd bound;
    std::atomic<int> connections{0};
    ScriptedHandler nothing;
    web::Router router;
    Server::Options upstream_options;
    proxy::Options proxy_options;
    std::optional<Server> upstream;
    std::unique_ptr<proxy::ProxyHandler> proxy;
    std::optional<Server> front;
};
WEIR_OVER_EVERY_ENGINE(Proxy);

TEST_P(Proxy, PassesOnRequestsAndResponses) {
    auto peer = through();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
    EXPECT_EQ(peer.ask(get("/status?code=404")).status, 404);
    EXPECT_EQ(peer.ask(get("/status?code=204")).status, 204);
}

TEST_P(Proxy, KeepsTheConnectionToTheServer) {
    auto peer = through();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
    EXPECT_EQ(connections, 1);
}

TEST_P(Proxy, PassesOnPipelinedRequests) {
    auto peer = through();
    peer.send(get("/text?is=a") + get("/text?is=b") + get("/text?is=c"));
    for (const char* const text : {"a", "b", "c"}) ASSERT_EQ(peer.answer().content, text);
}

TEST_P(Proxy, PassesOnContentOfAnySizeBothWays) {
    auto peer = through();
    peer.send(post("/echo", pattern(0, 500'000)));
    const Answer echo = peer.answer();
    EXPECT_EQ(echo.status, 200) << echo.content;
    expect_pattern(echo.content, 500'000);
}

TEST_P(Proxy, PassesOnChunkedContent) {
    auto peer = through();
    peer.send("POST /sink HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (std::size_t from = 0; from < 300'000; from += 100'000)
        peer.send(chunk(pattern(from, 100'000)));
    peer.send("0\r\n\r\n");
    EXPECT_EQ(peer.answer().content, "300000 bytes\n");
}

TEST_P(Proxy, PassesOnLargeUploads) {
    auto peer = through();
    std::thread sender{[&peer] { peer.send(post("/sink?pause", pattern(0, 3'000'000))); }};
    EXPECT_EQ(peer.answer().content, "3000000 bytes\n");
    sender.join();
}

TEST_P(Proxy, PassesOnStreamsAndFiles) {
    auto peer = through();
    expect_pattern(peer.ask(get("/stream?bytes=1000000")).content, 1'000'000);
    expect_pattern(peer.ask(get("/stream?bytes=1000000&sized")).content, 1'000'000);
    expect_pattern(peer.ask(get("/big?bytes=1000000&file")).content, 1'000'000);
    expect_pattern(peer.ask(get("/stream?bytes=100000&pause=3")).content, 100'000);
}

TEST_P(Proxy, WaitsForSlowReaders) {
    auto peer = through({.receive_buffer_bytes = 4096});
    peer.send(get("/stream?bytes=5000000"));
    expect_pattern(peer.answer().content, 5'000'000);
}

TEST_P(Proxy, AnswersHeadWithoutContent) {
    auto peer = through();
    peer.send("HEAD /big?bytes=1000 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/hello"));
    EXPECT_EQ(peer.answer(AnswerTo::head).field("content-length"), "1000");
    EXPECT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Proxy, LocalhostMeansBothOfItsAddresses) {
    upstream_options.addresses = {*net::Address::parse("::1", 0)};
    if (!can_bind(upstream_options.addresses.front())) GTEST_SKIP() << "this machine has no IPv6";
    upstream.emplace(upstream_engine(), handler, upstream_options);
    proxy_options.routes = {
        {.path = "/",
         .servers = {"http://localhost:" + std::to_string(upstream->address().port())}}};
    auto peer = through();
    for (int i = 0; i < 3; ++i) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
    EXPECT_EQ(connections, 1);
}

TEST_P(Proxy, ServerThatCantBeReachedIsABadGateway) {
    proxy_options.routes = {{.path = "/", .servers = {url_of_nobody()}}};
    auto peer = through();
    EXPECT_EQ(peer.ask(get("/hello")).status, 502);
    EXPECT_EQ(peer.ask(post("/echo", "content")).status, 502);
    EXPECT_EQ(peer.ask(get("/hello")).status, 502);
}

TEST_P(Proxy, AnotherServerTakesThePlaceOfOneThatCantBeReached) {
    upstream.emplace(upstream_engine(), handler, upstream_options);
    proxy_options.routes = {{.path = "/", .servers = {url_of_nobody(), url(*upstream)}}};
    auto peer = through();
    for (int i = 0; i < 6; ++i) {
        ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
        ASSERT_EQ(peer.ask(post("/echo", "content")).content, "content");
    }
}

/// The answer at last: names are looked up once a second at most.
Answer patient_answer(Client& peer, const std::string& request) {
    Answer answer = peer.ask(request);
    while (answer.status == 502) answer = peer.ask(request);
    return answer;
}

TEST_P(Proxy, FollowsANameToItsNewAddress) {
    upstream.emplace(upstream_engine(), handler, upstream_options);
    const std::string port = std::to_string(upstream->address().port());
    proxy_options.routes = {{.path = "/", .servers = {"http://app:" + port}}};
    using Found = std::expected<std::vector<std::string>, std::string>;
    proxy_options.look_up = [calls = 0](const std::string& name) mutable -> Found {
        EXPECT_EQ(name, "app");
        return std::vector{std::string{calls++ == 0 ? "127.0.0.9" : "127.0.0.1"}};
    };
    auto peer = through();
    EXPECT_EQ(patient_answer(peer, post("/echo", "content")).content, "content");
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Proxy, NameMayGetItsFirstAddressLater) {
    upstream.emplace(upstream_engine(), handler, upstream_options);
    const std::string port = std::to_string(upstream->address().port());
    proxy_options.routes = {{.path = "/", .servers = {"http://app:" + port}}};
    using Found = std::expected<std::vector<std::string>, std::string>;
    proxy_options.look_up = [calls = 0](const std::string&) mutable -> Found {
        if (calls++ == 0) return std::unexpected{"the name app has no address"};
        return std::vector{std::string{"127.0.0.1"}};
    };
    auto peer = through();
    EXPECT_EQ(patient_answer(peer, get("/hello")).content, "hello\n");
}

TEST_P(Proxy, NameThatIsLookedUpOnceNeedsAnAddress) {
    proxy_options.routes = {{.path = "/", .servers = {"http://no.such.name.invalid"}}};
    proxy_options.names_kept = std::chrono::milliseconds::zero();
    EXPECT_FALSE(proxy::proxy_to(nothing, proxy_options));
}

TEST_P(Proxy, ServerThatIsTooSlowIsAGatewayTimeout) {
    proxy_options.response_timeout = short_time;
    auto peer = through();
    EXPECT_EQ(peer.ask(get("/never")).status, 504);
}

/// Answers one request on each connection, does not say that it closes, and closes.
void close_after_each(int listener, int connections) {
    for (; connections > 0; --connections) {
        pollfd waits{listener, POLLIN, 0};
        if (::poll(&waits, 1, static_cast<int>(time_limit.count())) <= 0) return;
        const net::UniqueFd peer{::accept(listener, nullptr, nullptr)};
        std::array<char, 4096> request;
        if (::recv(peer.get(), request.data(), request.size(), 0) <= 0) return;
        constexpr std::string_view response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        if (::send(peer.get(), response.data(), response.size(), MSG_NOSIGNAL) < 0) return;
    }
}

TEST_P(Proxy, ConnectionThatTheServerHasClosedIsReplaced) {
    const net::UniqueFd listener = bound_socket();
    ASSERT_EQ(::listen(listener.get(), 8), 0);
    std::thread closes{[&listener] { close_after_each(listener.get(), 5); }};
    proxy_options.routes = {
        {.path = "/", .servers = {"http://" + net::Address::of_socket(listener.get())->text()}}};
    auto peer = through();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(peer.ask(get("/hello")).content, "ok");
    closes.join();
}

TEST_P(Proxy, ServerLearnsThatTheClientHasLeft) {
    if (const auto reason = nature_of(engine()).misses_resets; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    auto peer = through();
    peer.send(get("/gated?note=a"));
    handler.journal.await("a handled");
    EXPECT_EQ(peer.answer_head().status, 200);
    peer.reset();
    handler.journal.await("a streamed: peer gone");
}

TEST_P(Proxy, ServerLearnsThatTheClientHasClosed) {
    auto peer = through();
    peer.send(get("/gated?note=a"));
    handler.journal.await("a handled");
    EXPECT_EQ(peer.answer_head().status, 200);
    EXPECT_EQ(read_chunk(peer), "first\n");
    peer.close();
    handler.journal.await("a streamed: peer gone");
}

TEST_P(Proxy, ServerThatDoesNotAnswerIsLeftWithTheClient) {
    auto peer = through();
    peer.send(get("/awaited?note=a"));
    handler.journal.await("a handled");
    peer.close();
    handler.journal.await("a cut");
}

TEST_P(Proxy, ServerThatFailsInTheMiddleCutsTheResponse) {
    auto peer = through();
    peer.send(get("/broken"));
    EXPECT_EQ(peer.answer_head().status, 200);
    EXPECT_EQ(read_chunk(peer), "first\n");
    handler.gate.open();
    std::string rest;
    peer.ending(&rest);
    EXPECT_EQ(rest, "");  // and no last chunk
}

TEST_P(Proxy, ResponseIsFinishedWhenTheServerStops) {
    auto peer = through();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    front->drain();
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
    peer.close();
    EXPECT_FALSE(front->wait());
}

TEST_P(Proxy, StopCutsWhatTheServerDoesNotAnswer) {
    auto peer = through();
    peer.send(get("/never?note=a"));
    handler.journal.await("a handled");
    front->stop_now();
    EXPECT_FALSE(front->wait());
}

TEST_P(Proxy, ManyAtOnce) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    constexpr std::size_t crowd = 20;
    options.engine.workers = crowd;
    std::vector<Client> peers;
    for (std::size_t i = 0; i < crowd; ++i) {
        peers.push_back(through());
        peers.back().send(get("/later?note=a&is=" + std::to_string(i)));
    }
    for (std::size_t i = 0; i < crowd; ++i) handler.journal.await("a handled");
    for (std::size_t i = 0; i < crowd; ++i) handler.gate.open();
    for (std::size_t i = 0; i < crowd; ++i)
        EXPECT_EQ(peers[i].answer().content, "later " + std::to_string(i));
}

TEST_P(Proxy, PassesOnHintsAheadOfTheResponse) {
    router.get("/hints", [](web::Call call) -> web::Task<web::Response> {
        co_await web::early_hints(call, "</style.css>; rel=preload");
        co_return web::text("done");
    });
    upstream.emplace(upstream_engine(), router, upstream_options);
    auto peer = through();
    peer.send(get("/hints"));
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
    EXPECT_EQ(peer.take(hints.size()), hints);
    EXPECT_EQ(peer.answer().content, "done");
}

/// Threads that block have a connection for each client.
TEST_P(Proxy, ManyClientsShareFewConnections) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    constexpr std::size_t crowd = 20;
    constexpr int few = 2;
    const bool is_loop = nature_of(engine()).worker_serves_one_at_a_time.empty();
    options.engine.workers = is_loop ? 1 : crowd;
    proxy_options.connections_max = few;
    std::vector<Client> peers;
    for (std::size_t i = 0; i < crowd; ++i) {
        peers.push_back(through());
        peers.back().send(get("/later?note=a&is=" + std::to_string(i)));
    }
    for (std::size_t i = 0; i < crowd; ++i) handler.gate.open();
    for (std::size_t i = 0; i < crowd; ++i)
        EXPECT_EQ(peers[i].answer().content, "later " + std::to_string(i));
    for (const std::string_view name : {"select", "poll", "epoll-edge", "per-core", "io-uring"})
        if (engine().name == name) {
            EXPECT_LE(connections, few);
        }
}

/// Each message comes back, although the server stops meanwhile.
TEST_P(Proxy, WebSocketGoesOnWhileTheServerStops) {
    start_echoing_upstream();
    auto peer = through();
    peer.send(websocket::opening("/socket"));
    ASSERT_EQ(peer.answer_head().status, 101);
    front->drain();
    for (const std::string message : {"one", "two", "six"}) {
        peer.send(websocket::text(message));
        ASSERT_EQ(peer.take(2 + message.size()).substr(2), message);
    }
    peer.send(websocket::close());
    EXPECT_EQ(peer.take(4).substr(2), (std::string{"\x03\xe8"}));
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.close();
    EXPECT_FALSE(front->wait());
}

TEST_P(Proxy, WebSocketPassesThrough) {
    start_echoing_upstream();
    auto peer = through();
    peer.send(websocket::opening("/socket"));
    ASSERT_EQ(peer.answer_head().status, 101);
    for (const std::size_t size : {1U, 100U, 10'000U, 60'000U}) {
        const std::string message(size, 'x');
        peer.send(websocket::text(message));
        const std::size_t head = size < 126 ? 2 : 4;
        ASSERT_EQ(peer.take(head + size).substr(head), message);
    }
    peer.send(websocket::close());
    EXPECT_EQ(peer.take(4).substr(2), (std::string{"\x03\xe8"}));
}

/// A browser that speaks HTTP/2 opens its WebSockets on streams (RFC 8441).
TEST_P(Proxy, WebSocketOfHttp2PassesThrough) {
    start_echoing_upstream();
    options.connect = [](http::Workspace& workspace, http::Origin& origin, Now now) {
        return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
    };
    Http2Client peer{std::make_unique<Client>(through())};
    const auto stream = peer.connect("/socket", "websocket", {{"sec-websocket-version", "13"}});
    const auto sends_back = [&](std::size_t size) {
        peer.upload(stream, websocket::text("hello"));
        while (peer.stream(stream).content.size() < size && peer.read_frame()) {}
        return peer.stream(stream).content.size() >= size &&
               peer.stream(stream).content.substr(size - 5) == "hello";
    };
    EXPECT_TRUE(sends_back(7));
    front->drain();
    for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(sends_back(7 * i));
}

}  // namespace
}  // namespace weir::tests
