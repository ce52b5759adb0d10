// What happens when time runs out. Deadlines are short here and everything else takes as long as it
// takes: no test says how late an engine may be.

#include <chrono>
#include <string_view>

#include "contract/contract.h"

namespace weir::tests {
namespace {

struct Deadlines : Contract {
    /// One that has sent this within its time for a head. A machine that stands still may take longer:
    /// then the server has closed the connection without a word.
    Client client_that_begins(std::string_view head) {
        for (;;) {
            const auto before = std::chrono::steady_clock::now();
            auto peer = client();
            const bool is_sent = peer.offer(head);
            if (std::chrono::steady_clock::now() - before < options.timeouts.head) {
                EXPECT_TRUE(is_sent);
                return peer;
            }
        }
    }
    /// One byte after the other with pauses, until something comes back.
    static void trickle(Client& peer) {
        constexpr milliseconds pause{10};
        for (auto waited = pause; waited < time_limit; waited += pause) {
            if (peer.readable_within(pause)) return;
            peer.offer("x");
        }
        throw Unexpected{"the server puts up with it"};
    }
};
WEIR_OVER_EVERY_ENGINE(Deadlines);

TEST_P(Deadlines, PeerThatSaysNothingIsClosedWithoutAWord) {
    options.timeouts.head = short_time;
    auto peer = client();
    std::string rest;
    EXPECT_EQ(peer.ending(&rest), Ending::closed);
    EXPECT_EQ(rest, "");
}

TEST_P(Deadlines, UnfinishedHead) {
    options.timeouts.head = fair_time;
    auto peer = client_that_begins("GET / HTTP/1.1\r\nHo");
    EXPECT_EQ(peer.answer().status, 408);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Deadlines, HeadThatTrickles) {
    options.timeouts.head = fair_time;
    auto peer = client_that_begins("GET / HTTP/1.1\r\nHost: weir.test\r\nX: ");
    trickle(peer);
    EXPECT_EQ(peer.answer().status, 408);
}

TEST_P(Deadlines, NothingBetweenTwoRequests) {
    options.timeouts.keep_alive = short_time;
    auto peer = client();
    peer.ask(get("/hello"));
    std::string rest;
    EXPECT_EQ(peer.ending(&rest), Ending::closed);
    EXPECT_EQ(rest, "");
}

TEST_P(Deadlines, UnfinishedContent) {
    options.timeouts.body = short_time;
    auto peer = client();
    peer.send(post_head("/echo", 100) + "some");
    EXPECT_EQ(peer.answer().status, 408);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Deadlines, ContentThatTrickles) {
    options.timeouts.body = short_time;
    options.timeouts.content_rate_min = 1'000'000;
    auto peer = client();
    peer.send(post_head("/echo", 100'000) + "some");
    trickle(peer);
    EXPECT_EQ(peer.answer().status, 408);
}

TEST_P(Deadlines, HandlerThatTakesTooLong) {
    options.timeouts.handler = handler_time();
    auto peer = client();
    EXPECT_EQ(peer.ask(get("/never")).status, 503);
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.close();
    expect_served();
}

/// Its wake-ups don't keep the engine from looking at the time.
TEST_P(Deadlines, HandlerThatGoesOnWithoutEnd) {
    options.timeouts.handler = short_time;
    auto peer = client();
    peer.send(get("/busy?note=a"));
    EXPECT_EQ(peer.answer().status, 503);
    handler.journal.await("a ended");
}

TEST_P(Deadlines, HandlerThatIsLateAnswersNobody) {
    options.timeouts.handler = handler_time();
    auto peer = client();
    EXPECT_EQ(peer.ask(get("/later")).status, 503);
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.close();
    expect_served();
}

TEST_P(Deadlines, SourceThatGivesNothing) {
    options.timeouts.pause = handler_time();
    auto peer = client();
    peer.send(get("/gated?note=a"));
    peer.answer_head();
    EXPECT_EQ(read_chunk(peer), "first\n");
    std::string rest;
    peer.ending(&rest);
    EXPECT_EQ(rest, "");  // no last chunk: it isn't whole
    handler.journal.await("a streamed: timed out");
}

TEST_P(Deadlines, PeerThatTakesNothing) {
    options.timeouts.transmit = short_time;
    for (const std::string path : {"big", "stream"}) {
        auto peer = client({.receive_buffer_bytes = 4096});
        peer.send(get("/" + path + "?bytes=50000000&note=" + path));
        handler.journal.await(path + ": timed out");
        std::string rest;
        peer.ending(&rest);
        EXPECT_LT(rest.size(), 50'000'000u);
    }
    handler.journal.await("stream streamed: timed out");
    expect_served();
}

/// Or megabytes stay in the kernel, for a peer that takes none of them.
TEST_P(Deadlines, PeerThatTakesNothingIsReset) {
    options.timeouts.transmit = short_time;
    for (const std::string path : {"big", "stream"}) {
        auto peer = client({.receive_buffer_bytes = 4096});
        peer.send(get("/" + path + "?bytes=50000000&note=" + path));
        handler.journal.await(path + ": timed out");
        EXPECT_EQ(peer.ending(), Ending::reset) << path;
    }
}

/// It always takes some bytes, and is cut because its rate is too low.
TEST_P(Deadlines, PeerThatTakesAnAnswerTooSlowly) {
    options.timeouts.transmit = short_time;
    options.timeouts.transmit_rate_min = 4'000'000'000;
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/stream?bytes=100000000000&note=a"));
    const auto take_all = [&peer] {
        for (;;) peer.take(1000);
    };
    EXPECT_THROW(take_all(), Unexpected);
    handler.journal.await("a: timed out");
    expect_served();
}

TEST_P(Deadlines, PeerThatTakesNothingOfAFile) {
    options.timeouts.transmit = short_time;
    handler.file.resize(50'000'000);
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/file?bytes=50000000&note=a"));
    handler.journal.await("a: timed out");
    expect_served();
}

TEST_P(Deadlines, PeerThatGoesOnSendingAfterItsAnswer) {
    options.timeouts.drain_total = short_time;
    auto peer = client();
    peer.send(post_head("/refuse", 500'000) + "some");
    EXPECT_EQ(peer.answer().status, 403);
    EXPECT_EQ(peer.ending(), Ending::closed);  // its sending side only
    peer.await_hang_up();
    expect_served();
}

TEST_P(Deadlines, OfManyConnectionsAtOnce) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    options.timeouts.head = fair_time;
    std::vector<Client> peers;
    for (int i = 0; i < 100; ++i) peers.push_back(client_that_begins("GET / HTTP/1.1\r\n"));
    for (auto& peer : peers) ASSERT_EQ(peer.answer().status, 408);
}

}  // namespace
}  // namespace weir::tests
