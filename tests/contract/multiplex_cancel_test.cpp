// Requests that their peer takes back.

#include "contract/multiplex.h"

namespace weir::tests {
namespace {

struct MultiplexCancel : Multiplex {
    /// With a bound of two requests under way: one is canceled and one goes on, both at `target`,
    /// until the gate opens.
    void expect_canceled_one_counts(const std::string& target) {
        bounds.requests = 2;
        auto peer = multiplex_client();
        const auto canceled = peer.request(target + "?note=canceled");
        handler.journal.await("canceled handled");
        peer.cancel(canceled);
        handler.journal.await("canceled: peer gone");
        const auto other = peer.request(target + "?note=other");
        handler.journal.await("other handled");
        const auto third = peer.request("/hello?note=third");
        expect_not_handled("third");
        handler.gate.open();
        EXPECT_EQ(peer.answer(third).content, "hello\n");
        EXPECT_TRUE(peer.answer(other).is_whole);
        EXPECT_EQ(peer.stream(canceled).status, 0);
    }
};
WEIR_OVER_EVERY_ENGINE(MultiplexCancel);

TEST_P(MultiplexCancel, AnswerThatIsAwaitedIsDropped) {
    auto peer = multiplex_client();
    const auto canceled = peer.request("/later?note=a");
    const auto other = peer.request("/later?note=b");
    handler.journal.await("b handled");
    peer.cancel(canceled);
    handler.journal.await("a: peer gone");
    expect_served(peer);
    handler.gate.open();
    EXPECT_EQ(peer.answer(other).content, "later ");
    expect_served(peer);
    EXPECT_EQ(peer.stream(canceled).status, 0);
}

TEST_P(MultiplexCancel, LargeAnswerInTheMiddle) {
    handler.file.resize(large);
    auto peer = multiplex_client({.receive_buffer_bytes = 65'536});  // sockets hold less than that
    const auto other = peer.request("/gated");
    for (const std::string name : {"big", "file", "stream"}) {
        const auto stream = ask_for_much(peer, "/" + name + "?note=" + name);
        peer.content(stream, 100'000);
        peer.cancel(stream);
        expect_served(peer);
        EXPECT_FALSE(peer.stream(stream).is_over());
        handler.journal.await(name + ": peer gone");
    }
    handler.journal.await("stream streamed: peer gone");
    handler.gate.open();
    EXPECT_EQ(peer.answer(other).content, "first\nsecond\n");
}

TEST_P(MultiplexCancel, ContentInTheMiddle) {
    auto peer = multiplex_client();
    const auto other = peer.post("/echo", "he");
    const auto stream = peer.post("/sink?note=a", pattern(0, 1000));
    handler.journal.await("a arrives");
    peer.cancel(stream);
    handler.journal.await("a cut");
    peer.upload(other, "llo");
    peer.finish(other);
    EXPECT_EQ(peer.answer(other).content, "hello");
}

TEST_P(MultiplexCancel, CountsAsWorkUntilItsAnswerCame) { expect_canceled_one_counts("/later"); }

TEST_P(MultiplexCancel, CountsAsWorkUntilItsHandlerReturned) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " reads no cancel while a handler of that connection runs";
    expect_canceled_one_counts("/held");
}

/// HTTP/2 knows this attack as rapid reset: a request that is canceled at once is still work.
TEST_P(MultiplexCancel, ThousandsAtOnceAreNoMoreWorkThanTheBoundAllows) {
    bounds.requests = 10;
    auto peer = multiplex_client();
    for (int i = 0; i < 1000; ++i) {
        const auto note = std::to_string(i);
        const auto stream = peer.request("/later?note=" + note);
        if (i < 10) handler.journal.await(note + " handled");
        peer.cancel(stream);
    }
    expect_not_handled("10");
    handler.gate.open();
    expect_served(peer);
}

/// Of those that wait for a thread: they are not handled once their turn comes.
TEST_P(MultiplexCancel, RequestsInLineAreNotHandled) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " has no line of requests";
    options.engine.workers = 1;
    options.engine.queue_max = 1;
    auto peer = multiplex_client();
    const auto held = peer.request("/held?note=held");
    handler.journal.await("held handled");
    const auto queued = peer.request("/hello");  // fills the queue
    const auto in_line = peer.request("/hello?note=in_line");
    peer.cancel(in_line);
    handler.journal.await("in_line: peer gone");
    handler.gate.open();
    EXPECT_TRUE(peer.answer(held).is_whole);
    EXPECT_TRUE(peer.answer(queued).is_whole);
    expect_served(peer);
    EXPECT_EQ(handler.journal.count("in_line handled"), 0);
}

}  // namespace
}  // namespace weir::tests
