// The end of a server: what is under way is finished, nothing new is begun, and it does end.

#include <poll.h>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Stop : Contract {
    bool takes_connections() {
        try {
            client();
            return true;
        } catch (const Unexpected&) {
            return false;
        }
    }
    void await_refusal() {
        const auto until = std::chrono::steady_clock::now() + time_limit;
        while (takes_connections())
            if (std::chrono::steady_clock::now() > until) throw TimedOut{"it goes on accepting"};
    }
};
WEIR_OVER_EVERY_ENGINE(Stop);

/// Stops its server, and answers nothing.
struct Stopping : http::Handler {
    explicit Stopping(ScriptedHandler& of_test) : inner{of_test} {}

    http::Reply handle(const http::Request& request) override {
        if (request.path() == "/hello") return inner.handle(request);
        inner.journal.note(std::string{request.path()});
        if (request.path() == "/hold") inner.gate.await();
        if (request.path() == "/stop") server->drain();
        kept.push_back(request.defer());
        return http::Later{};
    }

    ScriptedHandler& inner;
    Server* server = nullptr;
    std::vector<http::Deferred> kept;
};

/// The loop looks for events again when a deadline has come, and the stop may be one of them. The
/// deadline is one of a connection that has gone: nothing else wakes the loop.
TEST_P(Stop, ThatComesWithADeadlineIsObeyed) {
    options.engine.workers = 1;
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    if (engine().forks) GTEST_SKIP() << "a handler in another process can't stop this one";
    if (!nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << "its handlers don't keep the loop waiting";
    options.timeouts.head = for_ever;
    options.timeouts.keep_alive = short_time;
    options.timeouts.handler = milliseconds{0};
    options.engine.stop_timeout = short_time;
    Stopping stopping{handler};
    Server stopped{engine(), stopping, options};
    stopping.server = &stopped;
    auto holds = stopped.client(), stops = stopped.client();
    {
        auto gone = stopped.client();
        gone.ask(get("/hello"));
    }
    holds.send(get("/hold"));
    handler.journal.await("/hold");
    stops.send(get("/stop"));
    EXPECT_FALSE(holds.readable_within(2 * short_time));
    handler.gate.open();
    holds.ending();
    EXPECT_FALSE(stopped.wait());
}

TEST_P(Stop, IdleServerEndsWithoutAnError) {
    start();
    server().drain();
    expect_end();
}

TEST_P(Stop, IdleConnectionsAreClosed) {
    auto peer = client();
    peer.ask(get("/hello"));
    options.engine.stop_timeout = for_ever;
    server().drain();
    EXPECT_EQ(peer.ending(), Ending::closed);
    expect_end();
}

TEST_P(Stop, AnswerThatIsAwaitedIsFinished) {
    options.engine.stop_timeout = for_ever;
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    server().drain();
    if (!one_at_a_time()) await_refusal();
    handler.gate.open();
    const auto answer = peer.answer();
    EXPECT_EQ(answer.content, "later ");
    // A worker process hears of the stop a moment after its supervisor; then it still closes.
    const bool heard_at_once = engine().forks != engines::Process::worker;
    EXPECT_TRUE(answer.connection_says("close") || !heard_at_once);
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.close();
    expect_end();
}

TEST_P(Stop, AnswerThatIsBeingSentIsFinished) {
    options.engine.stop_timeout = for_ever;
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/big?bytes=10000000"));
    ASSERT_EQ(peer.answer_head().length, 10'000'000u);
    server().drain();
    expect_pattern(peer.take(10'000'000), 10'000'000);
    EXPECT_EQ(peer.ending(), Ending::closed);
    expect_end();
}

TEST_P(Stop, ContentThatIsArrivingIsTaken) {
    options.engine.stop_timeout = for_ever;
    auto peer = client();
    peer.send(post_head("/echo?note=a", 5) + "he");
    handler.journal.await("a handled");
    server().drain();
    peer.send("llo");
    EXPECT_EQ(peer.answer().content, "hello");
    peer.close();
    expect_end();
}

TEST_P(Stop, NewConnectionsAreRefused) {
    options.engine.stop_timeout = for_ever;
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    server().drain();
    // While the last answer is still owed, where the engine's thread isn't taken up with it.
    if (!one_at_a_time()) await_refusal();
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
    peer.close();
    expect_end();
    EXPECT_FALSE(takes_connections());
}

TEST_P(Stop, ConnectionsThatAreQueuedAreServed) {
    // The server is kept from accepting until it stops: whoever has connected by then has been
    // promised a server.
    options.engine.stop_timeout = for_ever;
    options.engine.workers = 1;
    options.engine.connections_max = 1;
    auto first = client();
    first.send(get("/later?note=a"));
    handler.journal.await("a handled");
    auto queued = client();
    queued.send(get("/hello"));
    queued.await_arrival();
    server().drain();
    handler.gate.open();
    EXPECT_EQ(first.answer().content, "later ");
    first.close();
    EXPECT_EQ(queued.answer().content, "hello\n");
    queued.close();
    expect_end();
}

TEST_P(Stop, TimeoutCutsWhatIsNotFinished) {
    options.engine.stop_timeout = short_time;
    auto peer = client();
    peer.send(get("/never?note=a"));
    handler.journal.await("a handled");
    server().drain();
    expect_end();
    peer.ending();
}

TEST_P(Stop, TimeoutCutsSlowPeers) {
    options.engine.stop_timeout = short_time;
    std::vector<Client> peers;
    for (const auto* request :
         {"GET /stream?bytes=50000000&note=a HTTP/1.1\r\nHost: weir.test\r\n\r\n",
          "POST /echo HTTP/1.1\r\nHost: weir.test\r\nContent-Length: 5\r\n\r\n", "GET / HT", ""}) {
        peers.push_back(client({.receive_buffer_bytes = 4096}));
        peers.back().send(request);
    }
    peers.front().answer_head();  // where a thread handles it, that has given the stream back
    server().drain();
    expect_end();
    // On a machine that stands still before the stop, it may be cut for those that wait.
    if (one_at_a_time())
        handler.journal.await({"a streamed: stopped", "a streamed: timed out"});
    else
        handler.journal.await("a streamed: stopped");
}

TEST_P(Stop, SecondOneCutsAtOnce) {
    options.engine.stop_timeout = for_ever;
    auto peer = client();
    peer.send(get("/never?note=a"));
    handler.journal.await("a handled");
    server().drain();
    server().stop_now();
    expect_end();
}

TEST_P(Stop, WhatWaitsForAHandlerDoesNotSpin) {
    if (const auto reason = nature_of(engine()).never_sleeps; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    options.engine.stop_timeout = short_time;
    auto peer = client();
    peer.send(get("/held?note=a"));
    handler.journal.await("a handled");
    server().drain();
    constexpr milliseconds observed{300};
    const auto before = cpu_time();
    // Nothing comes: this only lets the time pass in which a loop that spins would burn it.
    ::poll(nullptr, 0, static_cast<int>(observed.count()));
    EXPECT_LT(cpu_time() - before, observed / 3);
    handler.gate.open();
    expect_end();
}

TEST_P(Stop, BeforeItStarted) {
    options.engine.stop_timeout = for_ever;
    start();
    server().drain();
    server().drain();
    expect_end();
}

TEST_P(Stop, PortIsFreeRightAfterwards) {
    auto peer = client();
    peer.ask(get("/hello", "Connection: close\r\n"));  // leaves TIME_WAIT on the server's side
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.close();
    for (int i = 0; i < 3; ++i) {
        server().drain();
        expect_end();
        restart_on_same_port();
        expect_served();
    }
}

}  // namespace
}  // namespace weir::tests
