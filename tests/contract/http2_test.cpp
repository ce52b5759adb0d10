// HTTP/2 over every engine: many requests at a time, both directions at once, on real sockets. What is
// the protocol's alone has unit tests (tests/unit/http/http2).

#include <algorithm>
#include <exception>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "contract/http2.h"
#include "support/process.h"

namespace weir::tests {
namespace {

using http2::ErrorCode;
using http2::FrameType;
using http2::StreamId;

}  // namespace

void Http2::let_one_connection_in() {
    options.engine.workers = 1;
    if (!one_at_a_time()) options.engine.connections_max = 1;
}

void Http2::send_all(std::size_t count) try {
    while (count != 0) count -= send_on_one_connection(count);
} catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
}

std::size_t Http2::send_on_one_connection(std::size_t count) {
    constexpr std::size_t batch = 10;
    constexpr milliseconds silence{300};
    const auto stream_of = [](std::size_t n) { return static_cast<StreamId>(2 * n - 1); };
    Client socket = client();
    std::optional<Http2Client> opened;
    std::size_t sent = 0;
    try {
        Http2Client& peer = opened.emplace(open_(std::move(socket), "h2"));
        const auto& goaways = peer.reader().goaways;
        while (goaways.empty() && sent < count) {
            const std::size_t batch_end = std::min(sent + batch, count);
            while (sent < batch_end) peer.channel().offer(http2::get(stream_of(++sent), "/hello"));
            peer.answer(stream_of(sent));
            if (sent < count && peer.socket().readable_within(silence)) peer.read_frame();
        }
        while (!goaways.empty() && peer.read_frame()) continue;
    } catch (const TimedOut&) {
        throw;
    } catch (const Unexpected&) {
        // The end, in whatever way: what counts is what has come before it.
    }
    // Whoever was silent for too long, since it was not run, has to go without a word.
    if (!opened || opened->reader().frames.empty()) return 0;
    Http2Client& peer = *opened;
    const auto& goaways = peer.reader().goaways;
    const StreamId last = goaways.empty() ? stream_of(sent) : goaways.back().number();
    std::size_t answered = 0;
    for (std::size_t n = 1; n <= sent; ++n) {
        const bool is_whole = peer.stream(stream_of(n)).is_whole;
        EXPECT_TRUE(is_whole || stream_of(n) > last) << n << " of " << sent << ", last " << last;
        answered += is_whole ? 1 : 0;
    }
    return answered;
}

namespace {

std::vector<std::uint32_t> last_streams(Http2Client& peer) {
    std::vector<std::uint32_t> last;
    for (const auto& goaway : peer.reader().goaways) last.push_back(goaway.number());
    return last;
}

TEST_P(Http2, OneRequestAfterTheOtherAndHttp1BesideIt) {
    {
        auto peer = http2_client();
        for (int i = 0; i < 20; ++i) ASSERT_EQ(peer.ask("/hello").content, "hello\n");
    }
    expect_served_by_http1();
}

TEST_P(Http2, AHundredAtATimeAreAnsweredInAnyOrder) {
    auto peer = http2_client();
    std::vector<StreamId> order;
    for (int i = 0; i < 100; ++i) order.push_back(peer.post("/echo?note=" + std::to_string(i)));
    for (int i = 0; i < 100; ++i) handler.journal.await(std::to_string(i) + " handled");
    std::ranges::shuffle(order, std::mt19937{100});
    for (const StreamId stream : order) {
        peer.upload(stream, "to " + std::to_string(stream));
        peer.finish(stream);
        ASSERT_EQ(peer.answer(stream).content, "to " + std::to_string(stream));
    }
}

TEST_P(Http2, LaterAnswersDoNotKeepEachOtherWaiting) {
    auto peer = http2_client();
    for (int i = 0; i < 50; ++i)
        peer.request((i % 2 == 0 ? "/later?is=" : "/later?open&is=") + std::to_string(i));
    for (unsigned i = 1; i < 50; i += 2)
        ASSERT_EQ(peer.answer(2 * i + 1).content, "later " + std::to_string(i));
    handler.gate.open();
    for (unsigned i = 0; i < 50; i += 2)
        ASSERT_EQ(peer.answer(2 * i + 1).content, "later " + std::to_string(i));
}

TEST_P(Http2, ContentOfEveryKindSideBySide) {
    constexpr std::size_t bytes = 300'000;
    handler.file.write(pattern(0, bytes));
    auto peer = http2_client();
    std::vector<StreamId> streams;
    for (const std::string target :
         {"/big?", "/big?own&", "/file?", "/stream?", "/stream?sized&", "/stream?pause=3&"})
        streams.push_back(peer.request(target + "bytes=" + std::to_string(bytes)));
    const auto parts = peer.request("/parts?bytes=" + std::to_string(bytes));
    const auto gated = peer.request("/gated");
    for (const StreamId stream : streams) expect_pattern(peer.answer(stream).content, bytes);
    EXPECT_EQ(peer.answer(parts).content, "before\n" + pattern(0, bytes) + "after\n");
    EXPECT_EQ(peer.content(gated, 6).content, "first\n");
    handler.gate.open();
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
}

TEST_P(Http2, ContentArrivesSideBySide) {
    constexpr std::size_t bytes = 1'500'000, piece = 50'000;
    options.limits.content_bytes_max = bytes;
    auto peer = http2_client();
    const std::vector streams{peer.post("/echo"), peer.post("/sink?note=a"),
                              peer.post("/sink?note=b&pause")};
    for (std::size_t at = 0; at < bytes; at += piece)
        for (const StreamId stream : streams) peer.upload(stream, pattern(at, piece));
    for (const StreamId stream : streams) peer.finish(stream);
    expect_pattern(peer.answer(streams[0]).content, bytes);
    EXPECT_EQ(peer.answer(streams[1]).content, "1500000 bytes\n");
    EXPECT_EQ(peer.answer(streams[2]).content, "1500000 bytes\n");
}

TEST_P(Http2, AnswersStopAtTheirWindowsAndOthersGoOn) {
    constexpr std::uint32_t bytes = 200'000;
    handler.file.write(pattern(0, bytes));
    auto peer = http2_client();
    peer.opens_windows = false;
    peer.open(0, 1'000'000);
    for (const std::string target : {"/big", "/file", "/stream"}) {
        const auto stream = peer.request(target + "?bytes=" + std::to_string(bytes));
        peer.content(stream, 65'535);
        expect_hello(peer);
        EXPECT_EQ(peer.stream(stream).content.size(), 65'535u);
        peer.open(stream, bytes);
        expect_pattern(peer.answer(stream).content, bytes);
    }
}

TEST_P(Http2, ItListensWhileItSendsALot) {
    auto peer =
        http2_client({.receive_buffer_bytes = 65'536});  // sockets hold less than the answer
    const auto big = ask_for_much(peer, "/big?");
    peer.content(big, 100'000);
    peer.round_trip();
    EXPECT_LT(peer.stream(big).content.size(), large);
    // The urgent one need not wait for the rest.
    const auto urgent = peer.request("/text?is=urgent", {{"priority", "u=0"}});
    peer.socket().await_arrival();
    if (!nature_of(engine()).handles_side_by_side.empty()) {
        EXPECT_TRUE(other_threads_sleep());  // a thread has answered, and the large one is not over
    }
    EXPECT_EQ(peer.answer(urgent).content, "urgent");
    EXPECT_LT(peer.stream(big).content.size(), large);
    peer.cancel(big);
    expect_hello(peer);
}

TEST_P(Http2, SlowReadersKeepNobodyWaiting) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    auto slow = http2_client({.receive_buffer_bytes = 4096});
    const auto big = ask_for_much(slow, "/big?note=a");
    handler.journal.await("a handled");
    for (int i = 0; i < 5; ++i) expect_served_by_http2();
    expect_pattern(slow.answer(big).content, large);
}

TEST_P(Http2, AnIdleConnectionGivesWayToOneThatWaits) {
    let_one_connection_in();
    auto idle = http2_client();
    expect_hello(idle);
    expect_served_by_http2();
    EXPECT_EQ(idle.ending(), Ending::closed);
    EXPECT_EQ(last_streams(idle), (std::vector{0x7fff'ffffu, 1u}));
}

/// RFC 9113 6.8: until it has heard that it is to leave, it may send requests.
TEST_P(Http2, OneThatGivesWayIsServedWhatIsOnItsWay) {
    let_one_connection_in();
    auto idle = http2_client();
    expect_hello(idle);
    auto waiting = http2_client();
    waiting.channel().offer(http2::get(1, "/hello"));
    idle.await(FrameType::goaway);  // the PING behind it has no answer yet
    for (StreamId stream = 3; stream <= 11; stream += 2)
        idle.channel().offer(http2::get(stream, "/hello"));
    EXPECT_EQ(idle.ending(), Ending::closed);
    const auto last = last_streams(idle);
    ASSERT_EQ(last.size(), 2u);
    // The others came too late: this client was not run for a while.
    for (StreamId stream = 3; stream <= 11; stream += 2)
        EXPECT_EQ(idle.stream(stream).is_whole, stream <= last[1]) << stream;
    EXPECT_EQ(waiting.answer(1).content, "hello\n");
}

/// A thread that serves one connection at a time would count it as slow.
TEST_P(Http2, OneThatWaitsForItsHandlerDoesNotGiveWay) {
    constexpr milliseconds longer_than_any_patience{1'000};
    let_one_connection_in();
    auto peer = http2_client();
    EXPECT_EQ(peer.answer(peer.request("/hello")).content, "hello\n");
    const auto later = peer.request("/later?note=a");
    handler.journal.await("a handled");
    const std::jthread waiting{[this] { expect_served_by_http2(); }};
    EXPECT_FALSE(peer.socket().readable_within(longer_than_any_patience)) << "it is told to go";
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    peer.socket().half_close();
}

/// Several clients for one place, which are silent for a while.
TEST_P(Http2, ClientsThatFollowGoawayLoseNothing) {
    let_one_connection_in();
    expect_served_by_http2();
    std::vector<std::jthread> clients;
    for (int i = 0; i < 3; ++i) clients.emplace_back([this] { send_all(20); });
}

TEST_P(Http2, OneThatWaitsForAWindowThatNobodyOpensKeepsNobodyWaiting) {
    options.engine.workers = 1;
    auto peer = http2_client();
    peer.opens_windows = false;
    peer.content(peer.request("/big?bytes=100000&note=a"), 65'535);
    peer.socket().half_close();
    handler.journal.await("a: peer gone");
    expect_served_by_http2();
}

TEST_P(Http2, RequestsThatAreCanceledWhileHandlersRun) {
    auto peer = http2_client();
    for (int i = 0; i < 10; ++i) peer.request("/later?note=" + std::to_string(i));
    for (int i = 0; i < 10; ++i) handler.journal.await(std::to_string(i) + " handled");
    for (StreamId stream = 1; stream < 20; stream += 2) peer.cancel(stream);
    expect_hello(peer);
    handler.gate.open();
    expect_hello(peer);
}

TEST_P(Http2, WorkThatIsCanceledEnds) {
    auto peer = http2_client();
    const auto busy = peer.request("/busy?note=a");
    handler.journal.await("a handled");
    peer.cancel(busy);
    handler.journal.await("a ended");
    expect_hello(peer);
}

TEST_P(Http2, APeerThatResetsWithoutEndIsToldToCalmDown) {
    auto peer = http2_client();
    std::string flood;
    for (StreamId stream = 1; stream < 2'000; stream += 2)
        flood += http2::get(stream, "/hello") + http2::reset(stream);
    peer.channel().offer(flood);
    peer.await(FrameType::goaway);
    EXPECT_EQ(peer.reader().goaways.at(0).code(), ErrorCode::enhance_your_calm);
    peer.socket().close();
    expect_served_by_http2();
}

TEST_P(Http2, TheStopFinishesWhatIsUnderWay) {
    options.engine.stop_timeout = for_ever;
    auto peer = http2_client();
    const auto later = peer.request("/later?note=a");
    const auto gated = peer.request("/gated?note=b");
    const auto upload = peer.post("/echo?note=c");
    for (const auto* note : {"a", "b", "c"}) handler.journal.await(std::string{note} + " handled");
    server().drain();
    peer.await(FrameType::goaway, 2);
    EXPECT_EQ(peer.reader().goaways.at(0).number(), 0x7fff'ffffu);
    EXPECT_EQ(peer.reader().goaways.at(1).number(), upload);
    peer.upload(upload, "hello");
    peer.finish(upload);
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    EXPECT_EQ(peer.answer(upload).content, "hello");
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.socket().close();
    expect_end();
}

TEST_P(Http2, AnIdleConnectionDoesNotKeepTheStopWaiting) {
    auto peer = http2_client();
    expect_hello(peer);
    server().drain();
    EXPECT_EQ(peer.ending(), Ending::closed);  // it does not close its side
    EXPECT_EQ(peer.reader().goaways.size(), 2u);
    expect_end();
}

}  // namespace
}  // namespace weir::tests
