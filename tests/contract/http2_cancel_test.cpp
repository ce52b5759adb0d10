// Requests that their peer takes back.

#include <string>

#include "contract/http2.h"

namespace weir::tests {
namespace {

struct Http2Cancel : Http2 {
    /// With a limit of two requests under way: one is canceled and one goes on, both at `target`, until
    /// the gate opens.
    void expect_canceled_one_counts(const std::string& target) {
        options.limits.streams_max = 2;
        auto peer = http2_client();
        const auto canceled = peer.request(target + "?note=canceled");
        handler.journal.await("canceled handled");
        peer.cancel(canceled);
        const auto other = peer.request(target + "?note=other");
        handler.journal.await("other handled");
        EXPECT_EQ(peer.ask("/hello?note=third").code, http2::ErrorCode::refused_stream);
        handler.gate.open();
        EXPECT_TRUE(peer.answer(other).is_whole);
        expect_hello(peer);
        EXPECT_FALSE(peer.stream(canceled).is_over());
        EXPECT_EQ(handler.journal.count("third handled"), 0);
    }
};
WEIR_OVER_EVERY_ENGINE(Http2Cancel);

TEST_P(Http2Cancel, AnswerThatIsAwaitedIsDropped) {
    auto peer = http2_client();
    const auto canceled = peer.request("/later");
    const auto other = peer.request("/later?note=other");
    handler.journal.await("other handled");
    peer.cancel(canceled);
    expect_hello(peer);
    handler.gate.open();
    EXPECT_EQ(peer.answer(other).content, "later ");
    expect_hello(peer);
    EXPECT_FALSE(peer.stream(canceled).is_over());
}

TEST_P(Http2Cancel, LargeAnswerInTheMiddle) {
    handler.file.resize(large);
    auto peer = http2_client({.receive_buffer_bytes = 65'536});  // sockets hold less than that
    const auto other = peer.request("/gated");
    for (const std::string name : {"big", "file", "stream"}) {
        const auto stream = ask_for_much(peer, "/" + name + "?note=" + name);
        peer.content(stream, 100'000);
        peer.cancel(stream);
        expect_hello(peer);
        EXPECT_FALSE(peer.stream(stream).is_over());
        handler.journal.await(name + ": peer gone");
    }
    handler.journal.await("stream streamed: peer gone");
    handler.gate.open();
    EXPECT_EQ(peer.answer(other).content, "first\nsecond\n");
}

TEST_P(Http2Cancel, ContentInTheMiddle) {
    auto peer = http2_client();
    const auto other = peer.post("/echo", "he");
    const auto stream = peer.post("/sink?note=a", pattern(0, 1000));
    handler.journal.await("a arrives");
    peer.cancel(stream);
    handler.journal.await("a cut");
    peer.upload(other, "llo");
    peer.finish(other);
    EXPECT_EQ(peer.answer(other).content, "hello");
}

TEST_P(Http2Cancel, CountsAsWorkUntilItsAnswerCame) { expect_canceled_one_counts("/later"); }

TEST_P(Http2Cancel, CountsAsWorkUntilItsHandlerReturned) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " reads no cancel while a handler of that connection runs";
    expect_canceled_one_counts("/held");
}

/// Of those that wait for a thread: they are not handled once their turn comes.
TEST_P(Http2Cancel, RequestsInLineAreNotHandled) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " has no line of requests";
    options.engine.workers = 1;
    options.engine.queue_max = 1;
    auto peer = http2_client();
    const auto held = peer.request("/held?note=held");
    handler.journal.await("held handled");
    const auto queued = peer.request("/hello");  // fills the queue
    const auto in_line = peer.request("/hello?note=in_line");
    peer.cancel(in_line);
    peer.round_trip();
    handler.gate.open();
    EXPECT_TRUE(peer.answer(held).is_whole);
    EXPECT_TRUE(peer.answer(queued).is_whole);
    expect_hello(peer);
    EXPECT_EQ(handler.journal.count("in_line handled"), 0);
}

}  // namespace
}  // namespace weir::tests
