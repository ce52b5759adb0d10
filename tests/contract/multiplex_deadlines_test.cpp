// Time that runs out for one request, or for the connection.

#include "contract/multiplex.h"

namespace weir::tests {
namespace {

struct MultiplexDeadlines : Multiplex {};
WEIR_OVER_EVERY_ENGINE(MultiplexDeadlines);

TEST_P(MultiplexDeadlines, HandlerOfOneStreamWhileOthersGoOn) {
    options.timeouts.handler = short_time;
    auto peer = multiplex_client();
    const auto upload = peer.post("/echo?note=a", "he");
    const auto never = peer.request("/never?note=b");
    const auto late = peer.request("/later?note=c");
    EXPECT_EQ(peer.answer(never).refused, "handler too slow");
    EXPECT_EQ(peer.answer(late).refused, "handler too slow");
    handler.journal.await("c: timed out");
    handler.gate.open();  // what comes now is late
    expect_served(peer);
    peer.upload(upload, "llo");
    peer.finish(upload);
    EXPECT_EQ(peer.answer(upload).content, "hello");
    EXPECT_EQ(peer.stream(late).status, 0);
}

TEST_P(MultiplexDeadlines, SourceThatGivesNothing) {
    options.timeouts.handler = short_time;
    auto peer = multiplex_client();
    const auto stream = peer.request("/gated?note=a");
    EXPECT_EQ(peer.answer(stream).refused, "handler too slow");
    EXPECT_EQ(peer.stream(stream).content, "first\n");
    handler.journal.await("a streamed: timed out");
    expect_served(peer);
}

TEST_P(MultiplexDeadlines, PeerThatTakesNothing) {
    options.timeouts.transmit = short_time;
    handler.file.resize(large);
    for (const std::string name : {"stream", "file"}) {
        auto peer = multiplex_client({.receive_buffer_bytes = 4096});
        peer.request("/never?note=beside_" + name);
        ask_for_much(peer, "/" + name + "?note=" + name);
        handler.journal.await(name + ": timed out");
        handler.journal.await("beside_" + name + ": timed out");
    }
    handler.journal.await("stream streamed: timed out");
    expect_served();
}

TEST_P(MultiplexDeadlines, WindowThatStaysClosed) {
    options.timeouts.transmit = short_time;
    auto peer = multiplex_client();
    peer.grants_what_it_reads = false;
    const auto stream = peer.request("/big?bytes=200000");
    EXPECT_EQ(peer.answer(stream).refused, "window too slow");
    expect_pattern(peer.stream(stream).content, multiplex::first_stream_window);
    expect_served(peer);
}

TEST_P(MultiplexDeadlines, ContentThatStops) {
    options.timeouts.body = short_time;
    auto peer = multiplex_client();
    const auto stream = peer.post("/sink?note=a", "some");
    EXPECT_EQ(peer.answer(stream).refused, "content too slow");
    handler.journal.await("a cut");
    expect_served(peer);
}

TEST_P(MultiplexDeadlines, FrameThatStops) {
    options.timeouts.head = fair_time;
    auto peer = multiplex_client();
    expect_served(peer);
    peer.socket().send("Q");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(peer.peer().refused(), "frame too slow");
}

TEST_P(MultiplexDeadlines, NothingUnderWay) {
    options.timeouts.keep_alive = fair_time;
    auto peer = multiplex_client();
    expect_served(peer);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(MultiplexDeadlines, RequestThatFindsNoThreadInTimeIsNeverHandled) {
    if (nature_of(engine()).handles_side_by_side.empty())
        GTEST_SKIP() << engine().name << " has no line of requests";
    options.engine.workers = 1;
    options.engine.queue_max = 1;
    options.timeouts.handler = short_time;
    auto peer = multiplex_client();
    peer.request("/held?note=a");
    handler.journal.await("a handled");
    peer.request("/hello");  // fills the queue
    const auto in_line = peer.request("/hello?note=b");
    EXPECT_EQ(peer.answer(in_line).refused, "handler too slow");
    handler.gate.open();
    expect_served(peer);
    EXPECT_EQ(handler.journal.count("b handled"), 0);
}

}  // namespace
}  // namespace weir::tests
