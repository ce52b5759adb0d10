// The contract once more, through TLS, and through a fake of it: what an engine does to a connection
// with a layer.

#include <list>

#include "contract/secure.h"
#include "support/websocket_frames.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

struct Secure : Contract {
    using Kind = Security;

    Secure() { options.connect = connect_through(factories); }

    /// With a new server for each.
    template <typename Test>
    void over_each_wire(Test test) {
        for (const Kind each : {Kind::fake, Kind::openssl}) {
            use(each);
            SCOPED_TRACE(each == Kind::fake ? "the fake" : "OpenSSL");
            test();
            stop();
        }
    }
    void use(Kind wanted) {
        kind = wanted;
        const auto handshake_timeout = factories.handshake_timeout;
        factories = factories_of(kind);
        factories.handshake_timeout = handshake_timeout;
    }
    SecureClient unopened(Client::Options of_client = {}) {
        return unopened_client(kind, client(of_client), "http/1.1");
    }
    SecureClient secure_client(Client::Options of_client = {}) {
        auto peer = unopened(of_client);
        peer.shake_hands();
        return peer;
    }
    void expect_served() { EXPECT_EQ(secure_client().ask(get("/hello")).content, "hello\n"); }

    Kind kind = Kind::fake;
    tls::TlsFactories factories;
};
WEIR_OVER_EVERY_ENGINE(Secure);

TEST_P(Secure, RequestsOneAfterTheOtherAndPipelined) {
    over_each_wire([&] {
        auto peer = secure_client();
        for (int i = 0; i < 3; ++i) EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
        peer.send(get("/hello") + get("/big?bytes=100000") + get("/hello"));
        EXPECT_EQ(peer.answer().content, "hello\n");
        expect_pattern(peer.answer().content, 100'000);
        EXPECT_EQ(peer.answer().content, "hello\n");
    });
}

TEST_P(Secure, ByteByByte) {
    over_each_wire([&] {
        auto peer = unopened();
        peer.shake_hands(1);
        peer.send_in_pieces(get("/hello"), 1);
        EXPECT_EQ(peer.answer().content, "hello\n");
    });
}

TEST_P(Secure, LargeAnswersThroughASmallWindow) {
    handler.file.write(pattern(0, 1'000'000));
    over_each_wire([&] {
        auto peer = secure_client({.receive_buffer_bytes = 4096});
        for (const auto* target : {"/big?bytes=1000000", "/big?own&bytes=1000000",
                                   "/stream?bytes=1000000", "/file?bytes=1000000"})
            expect_pattern(peer.ask(get(target)).content, 1'000'000);
    });
}

TEST_P(Secure, ContentThatArrivesWhileItIsTaken) {
    over_each_wire([&] {
        auto peer = secure_client();
        const auto content = pattern(0, 300'000);
        EXPECT_TRUE(peer.ask(post("/echo", content)).content == content);
        EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
    });
}

TEST_P(Secure, AnswersThatComeLater) {
    over_each_wire([&] {
        auto peer = secure_client();
        expect_pattern(peer.ask(get("/stream?pause=2&bytes=200000")).content, 200'000);
        EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
    });
}

TEST_P(Secure, SessionsHaveASecureCookie) {
    web::Router router;
    router.use(web::sessions(web::memory_sessions()));
    router.get("/", [](const web::Call& call) {
        web::Session::of(call).set("user", "ann");
        return "set";
    });
    use(Kind::openssl);
    Server server{engine(), router, options};
    SecureClient peer = unopened_client(kind, server.client(), "http/1.1");
    peer.shake_hands();
    const std::string cookie = peer.ask(get("/")).field("Set-Cookie").value_or("");
    EXPECT_TRUE(cookie.starts_with("__Host-session=")) << cookie;
    EXPECT_TRUE(cookie.contains("; Path=/; Secure; HttpOnly")) << cookie;
}

TEST_P(Secure, WebSockets) {
    web::Router router;
    router.get("/", web::websocket([](web::WebSocket socket) -> web::Task<> {
                   while (const auto message = co_await socket.receive())
                       co_await socket.send(*message);
               }));
    over_each_wire([&] {
        Server server{engine(), router, options};
        SecureClient peer = unopened_client(kind, server.client(), "http/1.1");
        peer.shake_hands();
        peer.send(websocket::opening("/"));
        EXPECT_EQ(peer.answer_head().status, 101);
        for (const std::size_t size : {5U, 100'000U}) {
            peer.send(websocket::binary(pattern(0, size)));
            const std::size_t head_bytes = size < 126 ? 2 : 10;
            EXPECT_TRUE(peer.take(head_bytes + size).substr(head_bytes) == pattern(0, size));
        }
        server.drain();
        EXPECT_EQ(websocket::shown(peer.take(4)), "close:1001");
        peer.send(websocket::close(1001));
        EXPECT_TRUE(peer.ends_with_word());
    });
}

TEST_P(Secure, TheEndIsSaid) {
    options.timeouts.keep_alive = short_time;
    over_each_wire([&] {
        auto last = secure_client();
        last.send(get("/hello", "Connection: close\r\n"));
        EXPECT_EQ(last.answer().content, "hello\n");
        EXPECT_TRUE(last.ends_with_word());
        auto idle = secure_client();
        EXPECT_EQ(idle.ask(get("/hello")).content, "hello\n");
        EXPECT_TRUE(idle.ends_with_word());
    });
}

TEST_P(Secure, AChallengeGetsNoAnswer) {
    use(Kind::fake);
    auto peer = unopened_client(kind, client(), "acme-tls/1");
    peer.shake_hands();
    peer.send(get("/hello"));
    EXPECT_TRUE(peer.ends_with_word());
    EXPECT_EQ(peer.wire().read(), "");
    expect_served();
}

TEST_P(Secure, AHandshakeHasADeadline) {
    factories.handshake_timeout = short_time;
    over_each_wire([&] {
        auto peer = unopened();
        EXPECT_EQ(peer.socket().ending(), Ending::closed);
        auto half = unopened();
        half.flush();
        EXPECT_FALSE(half.ends_with_word());
    });
}

TEST_P(Secure, WhoSpeaksHttpIsToldSo) {
    over_each_wire([&] {
        auto peer = client();
        EXPECT_EQ(peer.ask(get("/hello")).status, 400);
        EXPECT_EQ(peer.ending(), Ending::closed);
    });
}

TEST_P(Secure, ManyWhoShakeHandsAtOnce) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    over_each_wire([&] {
        std::list<SecureClient> peers;
        for (int i = 0; i < 50; ++i) peers.push_back(unopened());
        for (auto& peer : peers) peer.flush();
        for (auto& peer : peers) peer.shake_hands();
        for (auto& peer : peers) peer.send(get("/hello"));
        for (auto& peer : peers) EXPECT_EQ(peer.answer().content, "hello\n");
    });
}

TEST_P(Secure, ResetWhileAnAnswerIsSent) {
    over_each_wire([&] {
        auto peer = secure_client({.receive_buffer_bytes = 4096});
        const std::string note = kind == Kind::fake ? "a" : "b";
        peer.send(get("/stream?bytes=100000000&note=" + note));
        peer.answer_head();
        peer.socket().reset();
        handler.journal.await(note + " streamed: peer gone");
        expect_served();
    });
}

TEST_P(Secure, TheStopFinishesWhatIsUnderWay) {
    options.engine.stop_timeout = for_ever;
    over_each_wire([&] {
        auto peer = secure_client({.receive_buffer_bytes = 4096});
        peer.send(get("/big?bytes=2000000"));
        ASSERT_EQ(peer.answer_head().length, 2'000'000u);
        server().drain();
        expect_pattern(peer.take(2'000'000), 2'000'000);
        EXPECT_TRUE(peer.ends_with_word());
        expect_end();
    });
}

TEST_P(Secure, TheStopWaitsForNoHandshake) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    options.engine.stop_timeout = for_ever;
    use(Kind::openssl);
    auto open = secure_client();  // it is accepted, and the other one then is, too
    EXPECT_EQ(open.ask(get("/hello")).content, "hello\n");
    auto half = unopened();
    half.flush();
    server().drain();
    EXPECT_TRUE(open.ends_with_word());
    EXPECT_FALSE(half.ends_with_word());
    expect_end();
}

}  // namespace
}  // namespace weir::tests
