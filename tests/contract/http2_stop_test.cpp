// The end of a server whose connections have several requests under way.

#include <string>
#include <vector>

#include "contract/http2.h"

namespace weir::tests {
namespace {

using http2::FrameType;

struct Http2Stop : Http2 {
    Http2Stop() { options.engine.stop_timeout = for_ever; }
    /// The first says that a second comes, after a grace for requests that are on their way.
    static void await_last_goaway(Http2Client& peer) { peer.await(FrameType::goaway, 2); }
};
WEIR_OVER_EVERY_ENGINE(Http2Stop);

TEST_P(Http2Stop, LargeAnswersAreFinished) {
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    const auto later = peer.request("/later?note=a");
    const auto big = ask_for_much(peer, "/big?note=b");
    handler.journal.await("b handled");
    peer.content(big, 1000);
    server().drain();
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    expect_pattern(peer.answer(big).content, large);
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(peer.reader().goaways.back().number(), big);
    peer.socket().close();
    expect_end();
}

TEST_P(Http2Stop, RequestsThatHaveArrivedAreServed) {
    auto peer = http2_client();
    std::vector<http2::StreamId> streams{peer.request("/held?note=a")};
    handler.journal.await("a handled");
    // Where handlers run inline, these are still in the socket when the server stops.
    for (int i = 0; i < 20; ++i) streams.push_back(peer.request("/later?open"));
    peer.socket().await_arrival();
    server().drain();
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    for (const auto stream : streams) ASSERT_TRUE(peer.stream(stream).is_whole) << stream;
    EXPECT_EQ(peer.reader().goaways.back().number(), streams.back());
    peer.socket().close();
    expect_end();
}

TEST_P(Http2Stop, LaterRequestsAreNotHandled) {
    auto peer = http2_client();
    const auto under_way = peer.request("/later?note=a");
    handler.journal.await("a handled");
    server().drain();
    await_last_goaway(peer);
    const auto late = peer.request("/hello?note=b");
    peer.round_trip();
    handler.gate.open();
    EXPECT_EQ(peer.answer(under_way).content, "later ");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_FALSE(peer.stream(late).is_whole);
    EXPECT_EQ(handler.journal.count("b handled"), 0);
    peer.socket().close();
    expect_end();
}

TEST_P(Http2Stop, ConnectionsThatAreQueuedAreServed) {
    options.engine.workers = 1;
    options.engine.connections_max = 1;
    auto first = http2_client();
    const auto later = first.request("/later?note=a");
    handler.journal.await("a handled");
    auto queued = http2_client();
    std::vector<http2::StreamId> streams;
    for (int i = 0; i < 5; ++i) streams.push_back(queued.request("/hello"));
    queued.socket().await_arrival();
    server().drain();
    handler.gate.open();
    EXPECT_EQ(first.answer(later).content, "later ");
    first.socket().close();
    for (const auto stream : streams) EXPECT_EQ(queued.answer(stream).content, "hello\n");
    queued.socket().close();
    expect_end();
}

TEST_P(Http2Stop, CanceledRequestIsWaitedFor) {
    auto peer = http2_client();
    peer.cancel(peer.request("/later"));
    peer.round_trip();
    server().drain();
    await_last_goaway(peer);
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.socket().close();
    expect_end();
}

TEST_P(Http2Stop, TimeoutCutsWhatIsNotFinished) {
    options.engine.stop_timeout = short_time;
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    peer.request("/busy?note=a");
    peer.post("/sink?note=c", "some");
    peer.content(ask_for_much(peer, "/stream?note=b"), 1000);
    for (const auto* line : {"a handled", "c arrives"}) handler.journal.await(line);
    server().drain();
    expect_end();
    for (const auto* line : {"a ended", "b: stopped", "b streamed: stopped", "c cut"})
        handler.journal.await(line);
}

TEST_P(Http2Stop, SecondOneCutsAtOnce) {
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    peer.request("/busy?note=a");
    handler.journal.await("a handled");
    peer.content(ask_for_much(peer, "/big?note=b"), 1000);
    server().drain();
    server().stop_now();
    expect_end();
    handler.journal.await("a ended");
    handler.journal.await("b: stopped");
}

}  // namespace
}  // namespace weir::tests
