// Time that runs out for one request, or for the connection.

#include <chrono>
#include <string>

#include "contract/http2.h"

namespace weir::tests {
namespace {

using http2::ErrorCode;

struct Http2Deadlines : Http2 {
    /// One that has got an answer. A new one that itself stands still for longer than the time for its
    /// first request tries again.
    Http2Client known_client() {
        for (;;) {
            const auto before = std::chrono::steady_clock::now();
            auto peer = http2_client();
            if (is_answered(peer)) return peer;
            if (std::chrono::steady_clock::now() - before < options.timeouts.head)
                throw Unexpected{"it has got no answer"};
        }
    }

   private:
    static bool is_answered(Http2Client& peer) try {
        return peer.ask("/hello").content == "hello\n";
    } catch (const Unexpected&) {
        return false;
    }
};
WEIR_OVER_EVERY_ENGINE(Http2Deadlines);

TEST_P(Http2Deadlines, HandlerOfOneStreamWhileOthersGoOn) {
    options.timeouts.handler = handler_time();
    auto peer = http2_client();
    const auto upload = peer.post("/echo?note=a", "he");
    const auto never = peer.request("/never?note=b");
    const auto late = peer.request("/later?note=c");
    EXPECT_EQ(peer.answer(never).status(), 503);
    EXPECT_EQ(peer.answer(late).status(), 503);
    const auto answer = peer.stream(late).content;
    handler.gate.open();  // what comes now is late
    expect_hello(peer);
    peer.upload(upload, "llo");
    peer.finish(upload);
    EXPECT_EQ(peer.answer(upload).content, "hello");
    EXPECT_EQ(peer.stream(late).content, answer);
}

TEST_P(Http2Deadlines, SourceThatGivesNothing) {
    options.timeouts.pause = handler_time();
    auto peer = http2_client();
    const auto& answer = peer.answer(peer.request("/gated?note=a"));
    EXPECT_TRUE(answer.was_reset);
    EXPECT_EQ(answer.code, ErrorCode::internal_error);
    EXPECT_EQ(answer.content, "first\n");
    handler.journal.await("a streamed: timed out");
    expect_hello(peer);
}

TEST_P(Http2Deadlines, PeerThatTakesNothing) {
    options.timeouts.transmit = short_time;
    handler.file.resize(large);
    for (const std::string name : {"stream", "file"}) {
        auto peer = http2_client({.receive_buffer_bytes = 4096});
        peer.request("/busy?note=beside_" + name);
        ask_for_much(peer, "/" + name + "?note=" + name);
        handler.journal.await(name + ": timed out");
        handler.journal.await("beside_" + name + " ended");
    }
    handler.journal.await("stream streamed: timed out");
    expect_served_by_http2();
}

TEST_P(Http2Deadlines, WindowThatStaysClosed) {
    options.timeouts.transmit = short_time;
    auto peer = http2_client();
    peer.opens_windows = false;
    peer.open(0, large);
    const auto& answer = peer.ask("/big?bytes=200000");
    EXPECT_TRUE(answer.was_reset);
    EXPECT_EQ(answer.code, ErrorCode::cancel);
    expect_pattern(answer.content, http::http2::first_window);
    expect_hello(peer);
}

TEST_P(Http2Deadlines, ContentThatStops) {
    options.timeouts.body = short_time;
    auto peer = http2_client();
    EXPECT_EQ(peer.answer(peer.post("/sink?note=a", "some")).status(), 408);
    handler.journal.await("a cut");
    expect_hello(peer);
}

TEST_P(Http2Deadlines, FrameThatStops) {
    options.timeouts.head = fair_time;
    auto peer = known_client();
    peer.channel().send("Q");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Http2Deadlines, NothingUnderWay) {
    options.timeouts.keep_alive = fair_time;
    auto peer = http2_client();
    expect_hello(peer);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Http2Deadlines, RequestThatFindsNoThreadInTimeIsNeverHandled) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " has no line of requests";
    options.engine.workers = 1;
    options.engine.queue_max = 1;
    options.timeouts.handler = thread_time;
    auto peer = http2_client();
    peer.request("/held?note=a");
    handler.journal.await("a handled");
    peer.request("/hello");  // fills the queue
    EXPECT_EQ(peer.ask("/hello?note=b").status(), 503);
    handler.gate.open();
    expect_hello(peer);
    EXPECT_EQ(handler.journal.count("b handled"), 0);
}

}  // namespace
}  // namespace weir::tests
