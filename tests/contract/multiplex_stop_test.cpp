// The end of a server whose connections have several requests under way.

#include <vector>

#include "contract/multiplex.h"

namespace weir::tests {
namespace {

struct MultiplexStop : Multiplex {
    MultiplexStop() { options.engine.stop_timeout = for_ever; }
};
WEIR_OVER_EVERY_ENGINE(MultiplexStop);

TEST_P(MultiplexStop, WhatIsUnderWayIsFinished) {
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    const auto later = peer.request("/later?note=a");
    const auto gated = peer.request("/gated?note=b");
    const auto upload = peer.post("/echo?note=c", "he");
    const auto big = ask_for_much(peer, "/big?note=d");
    handler.journal.await("d handled");
    peer.content(big, 1000);
    server().drain();
    peer.upload(upload, "llo");
    peer.finish(upload);
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    EXPECT_EQ(peer.answer(upload).content, "hello");
    expect_pattern(peer.answer(big).content, large);
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(peer.peer().goaway(), big);
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, RequestsThatHaveArrivedAreServed) {
    auto peer = multiplex_client();
    peer.request("/held?note=a");
    handler.journal.await("a handled");
    // Where handlers run inline, these are still in the socket when the server stops.
    for (int i = 0; i < 20; ++i) peer.request("/later?open");
    peer.socket().await_arrival();
    server().drain();
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    for (std::uint32_t stream = 1; stream <= 21; ++stream)
        ASSERT_TRUE(peer.stream(stream).is_whole) << stream;
    EXPECT_EQ(peer.peer().goaway(), 21u);
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, RequestsPastTheBoundHaveArrivedToo) {
    bounds.requests = 1;
    auto peer = multiplex_client();
    peer.request("/later?note=a");
    handler.journal.await("a handled");
    for (int i = 0; i < 5; ++i) peer.request("/hello");
    server().drain();
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    // Those that came with the first, and those that the server has read since: at least the first.
    EXPECT_TRUE(peer.stream(1).is_whole);
    for (std::uint32_t stream = 2; stream <= 6; ++stream) {
        const bool is_served = stream <= peer.peer().goaway().value();
        ASSERT_EQ(peer.stream(stream).is_whole, is_served) << stream;
    }
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, IdleConnectionsAreToldAndClosed) {
    auto peer = multiplex_client();
    expect_served(peer);
    server().drain();
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(peer.peer().goaway(), 1u);
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, LaterRequestsAreRefused) {
    auto peer = multiplex_client();
    const auto under_way = peer.request("/later?note=a");
    handler.journal.await("a handled");
    server().drain();
    peer.await_goaway();
    const auto refused = peer.request("/hello?note=b");
    EXPECT_EQ(peer.answer(refused).refused, "going away");
    handler.gate.open();
    EXPECT_EQ(peer.answer(under_way).content, "later ");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(handler.journal.count("b handled"), 0);
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, ConnectionsThatAreQueuedAreServed) {
    options.engine.workers = 1;
    options.engine.connections_max = 1;
    auto first = multiplex_client();
    first.request("/later?note=a");
    handler.journal.await("a handled");
    auto queued = multiplex_client();
    for (int i = 0; i < 5; ++i) queued.request("/hello");
    queued.socket().await_arrival();
    server().drain();
    handler.gate.open();
    EXPECT_EQ(first.answer(1).content, "later ");
    first.socket().close();
    for (std::uint32_t stream = 1; stream <= 5; ++stream)
        EXPECT_EQ(queued.answer(stream).content, "hello\n");
    queued.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, CanceledRequestIsWaitedFor) {
    auto peer = multiplex_client();
    peer.cancel(peer.request("/later?note=a"));
    handler.journal.await("a: peer gone");
    server().drain();
    peer.await_goaway();
    handler.gate.open();
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.socket().close();
    expect_end();
}

TEST_P(MultiplexStop, TimeoutCutsWhatIsNotFinished) {
    options.engine.stop_timeout = short_time;
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    peer.request("/never?note=a");
    ask_for_much(peer, "/stream?note=b");
    peer.post("/sink?note=c", "some");
    for (const auto* line : {"a handled", "b handled", "c handled"}) handler.journal.await(line);
    server().drain();
    expect_end();
    for (const auto* line : {"a: stopped", "b: stopped", "b streamed: stopped", "c: stopped"})
        handler.journal.await(line);
}

TEST_P(MultiplexStop, SecondOneCutsAtOnce) {
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    peer.request("/never?note=a");
    ask_for_much(peer, "/big?note=b");
    handler.journal.await("b handled");
    server().drain();
    server().stop_now();
    expect_end();
    handler.journal.await("a: stopped");
    handler.journal.await("b: stopped");
}

}  // namespace
}  // namespace weir::tests
