// WebSockets under every engine: over HTTP/1.1, and on a stream of HTTP/2. What is the protocol's alone has
// unit tests (tests/unit/web/websocket).

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "contract/web_fixture.h"
#include "http/http2/prior_knowledge.h"
#include "support/http2_client.h"
#include "support/websocket_frames.h"

namespace weir::tests {
namespace {

using namespace std::chrono_literals;
using web::Call;
using web::Task;
using web::WebSocket;

/// The client's end of a socket.
class Peer {
   public:
    virtual ~Peer() = default;
    virtual void send(std::string_view bytes) = 0;
    virtual Incoming& incoming() = 0;
    virtual Client& socket() = 0;

    /// The next frame, in words.
    std::string next() {
        std::string bytes = incoming().take(2);
        const auto size = static_cast<unsigned char>(bytes[1]);
        if (size >= 126) bytes += incoming().take(size == 126 ? 2 : 8);
        std::uint64_t length = size;
        if (size >= 126) length = 0;
        for (std::size_t i = 2; i < bytes.size(); ++i)
            length = length << 8U | static_cast<unsigned char>(bytes[i]);
        payload = incoming().take(length);
        return websocket::shown(bytes + payload);
    }
    /// Of the last frame.
    std::string payload;
};

class Http1Peer final : public Peer {
   public:
    Http1Peer(Client client, std::string_view target) : client_{std::move(client)} {
        client_.send(websocket::opening(target));
        EXPECT_EQ(client_.answer_head().status, 101);
    }
    void send(std::string_view bytes) override { client_.send(bytes); }
    Incoming& incoming() override { return client_; }
    Client& socket() override { return client_; }

   private:
    Client client_;
};

class Http2Peer final : public Peer, Incoming {
   public:
    Http2Peer(Client client, std::string_view target)
        : client_{std::make_unique<Client>(std::move(client))} {
        stream_ = client_.connect(target, "websocket", {{"sec-websocket-version", "13"}});
    }
    void send(std::string_view bytes) override { client_.upload(stream_, bytes); }
    Incoming& incoming() override { return *this; }
    Client& socket() override { return client_.socket(); }

   private:
    bool fill(std::string& buffer) override {
        const std::size_t before = taken_;
        while (taken_ == before) {
            const auto& stream = client_.stream(stream_);
            buffer.append(stream.content, taken_);
            taken_ = stream.content.size();
            if (taken_ == before && (stream.is_over() || !client_.read_frame())) return false;
        }
        return true;
    }

    Http2Client client_;
    Http2Client::StreamId stream_ = 0;
    std::size_t taken_ = 0;
};

/// On a thread of a program, not of the server.
struct Posting final : web::detail::Job {
    Posting(web::WebSocketSender to, int of) : sender{std::move(to)}, count{of} {}
    void run() noexcept override {
        for (int i = 0; i < count; ++i) sender.send("posted " + std::to_string(i));
        sender.close(static_cast<web::CloseCode>(4000));
    }
    web::WebSocketSender sender;
    int count;
};

struct WebSockets : WebFixture {
    void SetUp() override {
        Contract::SetUp();
        options.connect = [](http::Workspace& workspace, http::Origin& origin, Now now) {
            return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
        };
        add("/echo", [](WebSocket socket) -> Task<> {
            while (const auto message = co_await socket.receive()) co_await socket.send(*message);
        });
        add("/slow-echo", [this](WebSocket socket) -> Task<> {
            while (const auto message = co_await socket.receive()) {
                co_await web::sleep_for(1ms);
                co_await web::offload(background, [] {});
                co_await socket.send(*message);
            }
        });
        add("/posted", [this](WebSocket socket) -> Task<> {
            background.post(std::make_shared<Posting>(socket.sender(), 100));
            while (co_await socket.receive()) {}
        });
        add("/feed", [](WebSocket socket) -> Task<> {
            for (int i = 0; i < 60; ++i)
                co_await socket.send_binary(
                    pattern(static_cast<std::size_t>(i) * 100'000, 100'000));
        });
        add("/endless", [](WebSocket socket) -> Task<> {
            while (co_await socket.send(std::string(30'000, 'x'))) {}
        });
        add("/room", [this](WebSocket socket) -> Task<> {
            const auto subscription = topics.subscribe("room", socket.sender());
            co_await socket.send("here");
            while (const auto message = co_await socket.receive())
                topics.publish("room", message->data, message->kind);
        });
        add("/sleeps", [](WebSocket socket) -> Task<> {
            co_await socket.send("sleeps");
            co_await web::sleep_for(1h);
        });
    }
    /// Counts the coroutines that are alive.
    template <typename Give>
    void add(std::string_view path, Give give) {
        router.get(path, web::websocket([this, give](WebSocket socket) -> Task<> {
                       const Counted counted{alive};
                       co_await give(std::move(socket));
                   }));
    }
    std::unique_ptr<Peer> open(bool is_http2, std::string_view target,
                               Client::Options of_client = {}) {
        if (is_http2) return std::make_unique<Http2Peer>(web_client(of_client), target);
        return std::make_unique<Http1Peer>(web_client(of_client), target);
    }
    template <typename Test>
    void over_each_protocol(Test test) {
        for (const bool is_http2 : {false, true}) {
            SCOPED_TRACE(is_http2 ? "HTTP/2" : "HTTP/1.1");
            test(is_http2);
        }
    }

    web::Topics topics;
};
WEIR_OVER_EVERY_ENGINE(WebSockets);

TEST_P(WebSockets, EchoMessagesOfEverySize) {
    over_each_protocol([&](bool is_http2) {
        for (const auto* const target : {"/echo", "/slow-echo"}) {
            const auto peer = open(is_http2, target);
            for (const std::size_t size : {0, 1, 125, 126, 5'000, 65'535, 65'536, 500'000}) {
                peer->send(websocket::binary(pattern(0, size)));
                peer->next();
                EXPECT_TRUE(peer->payload == pattern(0, size)) << size;
            }
            peer->send(websocket::close(1000));
            EXPECT_EQ(peer->next(), "close:1000");
        }
    });
}

TEST_P(WebSockets, EchoManyMessagesAtOnce) {
    over_each_protocol([&](bool is_http2) {
        const auto peer = open(is_http2, "/echo");
        std::string all;
        for (int i = 0; i < 500; ++i) all += websocket::text("message " + std::to_string(i));
        peer->send(all + websocket::ping("!") + websocket::close(1001));
        for (int i = 0; i < 500; ++i) ASSERT_EQ(peer->next(), "text:message " + std::to_string(i));
        EXPECT_EQ(peer->next(), "pong:!");
        EXPECT_EQ(peer->next(), "close:1001");
    });
}

TEST_P(WebSockets, AreSentToFromOtherThreads) {
    over_each_protocol([&](bool is_http2) {
        const auto peer = open(is_http2, "/posted");
        for (int i = 0; i < 100; ++i) ASSERT_EQ(peer->next(), "text:posted " + std::to_string(i));
        EXPECT_EQ(peer->next(), "close:4000");
        peer->send(websocket::close(4000));
    });
}

TEST_P(WebSockets, OfATopicGetItsMessagesInOneOrder) {
    if (engine().forks == engines::Process::connection)
        GTEST_SKIP() << engine().name << ": its processes do not share topics";
    options.engine.workers = engine().forks ? 1 : 6;
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    std::vector<std::unique_ptr<Peer>> peers;
    for (int i = 0; i < 6; ++i) {
        peers.push_back(open(i % 2 != 0, "/room"));
        ASSERT_EQ(peers.back()->next(), "text:here");
    }
    for (int i = 0; i < 50; ++i)
        for (auto& peer : peers) peer->send(websocket::text("message " + std::to_string(i)));
    std::string first;
    for (auto& peer : peers) {
        std::string all;
        for (int i = 0; i < 300; ++i) all += peer->next() + '\n';
        if (first.empty()) first = all;
        EXPECT_EQ(all, first);
    }
    EXPECT_NE(first.find("message 49"), first.npos);
}

TEST_P(WebSockets, SendToASlowReader) {
    over_each_protocol([&](bool is_http2) {
        const auto peer = open(is_http2, "/feed", {.receive_buffer_bytes = 4096});
        for (std::size_t i = 0; i < 60; ++i) {
            peer->next();
            ASSERT_TRUE(peer->payload == pattern(i * 100'000, 100'000)) << i;
        }
        EXPECT_EQ(peer->next(), "close:1000");
    });
}

TEST_P(WebSockets, CloseWith1001WhenTheServerStops) {
    for (const bool is_http2 : {false, true}) {
        SCOPED_TRACE(is_http2 ? "HTTP/2" : "HTTP/1.1");
        const auto peer = open(is_http2, "/echo");
        peer->send(websocket::text("before"));
        EXPECT_EQ(peer->next(), "text:before");
        web_server->drain();
        EXPECT_EQ(peer->next(), "close:1001");
        peer->send(websocket::close(1001));
        if (!is_http2) {
            EXPECT_EQ(peer->socket().ending(), Ending::closed);
        }
        peer->socket().close();
        EXPECT_FALSE(web_server->wait());
        EXPECT_EQ(alive, 0);
        web_server.reset();
    }
}

TEST_P(WebSockets, EndWhenThePeerLeavesAtAnyPoint) {
    for (int i = 0; i < 40; ++i) {
        const auto peer = open(i % 2 != 0, i % 5 == 0   ? "/echo"
                                           : i % 5 == 1 ? "/slow-echo"
                                           : i % 5 == 2 ? "/endless"
                                           : i % 5 == 3 ? "/sleeps"
                                                        : "/posted");
        if (i % 5 < 2) peer->send(websocket::text("a message") + websocket::text("half").substr(3));
        if (i % 3 == 0) peer->socket().reset();
    }
    stop_and_expect_all_gone();
}

TEST_P(WebSockets, AHundredAreOpenAtOnce) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    options.engine.workers = 100;
    std::vector<std::unique_ptr<Peer>> peers;
    for (int i = 0; i < 100; ++i) peers.push_back(open(i % 2 != 0, "/echo"));
    for (int round = 0; round < 3; ++round) {
        for (auto& peer : peers) peer->send(websocket::text(std::to_string(round)));
        for (auto& peer : peers) ASSERT_EQ(peer->next(), "text:" + std::to_string(round));
    }
}

}  // namespace
}  // namespace weir::tests
