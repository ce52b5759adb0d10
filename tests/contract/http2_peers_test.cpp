// Peers with several requests under way that leave, that do not read, and that never stop sending.

#include <poll.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "contract/http2.h"
#include "http/http2/http2_connection.h"
#include "support/process.h"

namespace weir::tests {
namespace {

using http2::FrameType;

struct Http2Peers : Http2 {
    /// In place of those that end the connection of a peer which floods it.
    void set_bounds(http::http2::Bounds bounds) {
        options.connect = [bounds](http::Workspace& workspace, http::Origin& origin, Now now) {
            return std::make_unique<http::Http2Connection>(workspace, origin, now, bounds);
        };
    }
};
WEIR_OVER_EVERY_ENGINE(Http2Peers);

TEST_P(Http2Peers, ResetWhileAnswersAreAwaited) {
    auto peer = http2_client();
    for (int i = 0; i < 10; ++i) peer.request("/busy?note=" + std::to_string(i));
    handler.journal.await("9 handled");
    peer.socket().reset();
    for (int i = 0; i < 10; ++i) handler.journal.await(std::to_string(i) + " ended");
    expect_served_by_http2();
}

TEST_P(Http2Peers, ResetWhileHandlersRun) {
    // A worker that is forked between the client's socket(2) and connect(2) has a copy of the socket,
    // and no reset is sent while that is open.
    options.engine.workers = engine().forks ? 1 : options.engine.workers;
    expect_served_by_http2();
    auto peer = http2_client();
    for (int i = 0; i < 10; ++i) peer.request("/held?note=" + std::to_string(i));
    handler.journal.await("0 handled");
    peer.socket().reset();
    handler.gate.open();
    const Nature nature = nature_of(engine());
    const bool hears_of_it_first = !nature.handles_side_by_side.empty();
    if (!hears_of_it_first && nature.counts_as_sent_early.empty())
        handler.journal.await("0: peer gone");
    expect_served_by_http2();
}

TEST_P(Http2Peers, ResetWhileLargeAnswersAreSent) {
    handler.file.resize(large);
    for (const std::string name : {"big", "stream", "file"}) {
        auto peer = http2_client({.receive_buffer_bytes = 4096});
        peer.request("/busy?note=beside_" + name);
        peer.content(ask_for_much(peer, "/" + name + "?note=" + name), 1000);
        peer.socket().reset();
        handler.journal.await(name + ": peer gone");
        handler.journal.await("beside_" + name + " ended");
    }
    handler.journal.await("stream streamed: peer gone");
    expect_served_by_http2();
}

TEST_P(Http2Peers, HalfClosedOneGetsItsAnswers) {
    auto peer = http2_client();
    const auto gated = peer.request("/gated");
    const auto cut = peer.post("/sink?note=cut", "half of it");
    const auto last = peer.request("/later?note=last");
    handler.journal.await("last handled");
    peer.socket().half_close();
    handler.journal.await("cut cut");
    handler.gate.open();
    peer.opens_windows = false;
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    EXPECT_EQ(peer.answer(last).content, "later ");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_FALSE(peer.stream(cut).is_whole);
}

TEST_P(Http2Peers, ThatEndsItsSendingEndsWhatWaitsForLong) {
    auto peer = http2_client();
    const auto gated = peer.request("/gated?note=gated&live");
    peer.content(gated, 6);
    peer.request("/awaited?note=awaited");
    handler.journal.await("awaited handled");
    peer.socket().half_close();
    handler.journal.await({"awaited cut", "gated streamed: peer gone"});
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Http2Peers, HalfClosedOneGetsWhatIsBeingSent) {
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    const auto big = ask_for_much(peer, "/big?note=a");
    const auto later = peer.request("/later?note=b");
    peer.socket().half_close();
    handler.journal.await("b handled");
    peer.opens_windows = false;
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    expect_pattern(peer.answer(big).content, large);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Http2Peers, NonsenseIsRefused) {
    auto peer = http2_client();
    peer.request("/never");
    peer.channel().send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
    ASSERT_EQ(peer.reader().goaways.size(), 1u);
    EXPECT_EQ(peer.reader().goaways.front().code(), http2::ErrorCode::frame_size_error);
    peer.socket().close();
    expect_served_by_http2();
}

/// Back-pressure: the server reads no more when replies wait, and holds no more.
TEST_P(Http2Peers, OneThatSendsAndDoesNotReadIsNotReadFrom) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    constexpr std::size_t more_than_sockets_hold = 100'000'000;
    constexpr std::uint64_t memory_max = 50'000'000;
    set_bounds({.idle_frames = {.at_once = 1'000'000, .per_second = 0}});
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    expect_hello(peer);
    peer.content(ask_for_much(peer, "/big?"),
                 1000);  // what is sent from now on waits behind the rest
    reset_peak_memory();
    const auto memory_before = peak_memory_bytes();
    std::string pings;
    std::size_t sent = 0;
    for (pollfd room{peer.socket().fd(), POLLOUT, 0};
         ::poll(&room, 1, static_cast<int>(short_time.count())) > 0;) {
        while (pings.size() < 1'000'000) pings += http2::ping();
        const auto went_in = peer.socket().send_some(pings);
        pings.erase(0, went_in);
        ASSERT_LT(sent += went_in, more_than_sockets_hold);
    }
    for (int i = 0; i < 10; ++i) expect_served_by_http2();
    if (!engine().forks && !sanitized) {
        EXPECT_LT(peak_memory_bytes() - memory_before, memory_max);
    }
    peer.socket().reset();
    expect_served_by_http2();
}

/// Nor does it keep itself from its answers.
TEST_P(Http2Peers, OneThatNeverStopsSendingKeepsNobodyWaiting) {
    set_bounds({.overhead_bytes = std::uint64_t{1} << 50});
    options.timeouts.drain_total = short_time;
    options.engine.workers = nature_of(engine()).worker_serves_one_at_a_time.empty() ? 1 : 2;
    auto peer = http2_client();
    std::vector<http2::StreamId> streams;
    for (int i = 0; i < 64; ++i) {
        const auto number = std::to_string(i);
        streams.push_back(peer.request("/later?is=" + number + "&note=" + number));
    }
    handler.journal.await("63 handled");
    peer.opens_windows = false;  // the other thread alone sends
    std::string frames;
    for (int i = 0; i < 1000; ++i) frames += http2::window(0, 1);
    {
        const std::jthread flood{[&] {
            while (peer.channel().offer(frames)) {}
        }};
        if (!one_at_a_time())
            for (int i = 0; i < 10; ++i) expect_served_by_http2();
        handler.gate.open();
        for (std::size_t i = 0; i < streams.size(); ++i)
            ASSERT_EQ(peer.answer(streams[i]).content, "later " + std::to_string(i));
        server().drain();
        peer.await(FrameType::goaway);
    }  // it is drained, but not for ever: the other thread ends with the connection
    peer.socket().close();
    expect_end();
}

}  // namespace
}  // namespace weir::tests
