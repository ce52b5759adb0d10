// What has been done to HTTP/2 servers in recent years, and what it costs this one: handlers that
// start, bytes that are kept, bytes that are read before the peer is told to calm down.

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
using h2::FrameType;
using h2::Setting;
namespace flag = h2::flag;

/// Sends the same until the connection ends; how often it took that. Fails where it never does.
int send_until_the_end(Http2Driver& peer, const std::function<std::string()>& next, int most) {
    for (int times = 1; times <= most; ++times) {
        peer.receive(next());
        if (!reads(peer.step()) || peer.step() == Step::drain) return times;
    }
    ADD_FAILURE() << "it goes on";
    return most;
}

void expect_calm(Http2Driver& peer) {
    ASSERT_EQ(peer.reader.goaways.size(), 1u);
    EXPECT_EQ(peer.reader.goaways[0].code(), ErrorCode::enhance_your_calm);
    EXPECT_EQ(peer.step(), Step::drain);
}

/// What the connection keeps between two calls, and for its thread.
class WithBudget {
   public:
    explicit WithBudget(Http2Driver& peer) {
        peer.workspace.memory = &budget_;
        peer.connection = std::make_unique<Http2Connection>(peer.workspace, peer, peer.now);
    }
    std::uint64_t used() const { return budget_.used(); }

   private:
    Budget budget_{1u << 30u};
};

struct Counter {
    h2::StreamId next = 1;
    h2::StreamId id() { return std::exchange(next, next + 2); }
};

TEST(Http2Attack, RapidResetStartsFewHandlers) {  // CVE-2023-44487
    Http2Driver peer{hello};
    peer.receive(h2::hello());
    Counter streams;
    const int times = send_until_the_end(
        peer,
        [&] {
            const auto id = streams.id();
            return h2::get(id, "/") + h2::reset(id);
        },
        1'000);
    EXPECT_EQ(times, 101);
    EXPECT_EQ(peer.handled, 0);  // each is reset before a handler has its turn
    expect_calm(peer);
}

TEST(Http2Attack, RapidResetWhileHandlersRunIsBoundedByStreams) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello());
    Counter streams;
    for (int i = 0; i < 100; ++i) {
        peer.pass(1s);  // slow enough for the allowance
        const auto id = streams.id();
        peer.receive(h2::get(id, "/"));
        peer.receive(h2::reset(id));
    }
    EXPECT_EQ(peer.taken.size(), 100u);
    const auto refused = streams.id();
    peer.receive(h2::get(refused, "/"));
    EXPECT_EQ(peer.stream(refused).code, ErrorCode::refused_stream);
    EXPECT_EQ(peer.taken.size(), 100u);
    // Once a handler has returned, there is room.
    peer.respond(peer.taken.front(), Response{});
    const auto served = streams.id();
    peer.receive(h2::get(served, "/"));
    EXPECT_EQ(peer.taken.size(), 101u);
}

TEST(Http2Attack, AClientThatLeavesAPageIsNone) {
    Http2Driver peer{hello};
    peer.receive(h2::hello());
    Counter streams;
    for (int page = 0; page < 20; ++page) {
        std::string requests, resets;
        for (int i = 0; i < 100; ++i) {
            const auto id = streams.id();
            requests += h2::post(id, "/");
            resets += h2::reset(id);
        }
        peer.receive(requests + resets);
        peer.pass(5s);
    }
    EXPECT_TRUE(peer.reader.goaways.empty());
}

/// CVE-2025-8671: the peer has the server reset, by faults of its own.
class MadeYouReset : public ::testing::TestWithParam<std::function<std::string(h2::StreamId)>> {};

TEST_P(MadeYouReset, CountsLikeTheirOwnResets) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello());
    Counter streams;
    const int times = send_until_the_end(peer, [&] { return GetParam()(streams.id()); }, 1'000);
    EXPECT_LE(times, 101);
    EXPECT_LE(peer.taken.size(), 100u);
    expect_calm(peer);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, MadeYouReset,
    ::testing::Values([](h2::StreamId id) { return h2::post(id, "/") + h2::window(id, 0); },
                      [](h2::StreamId id) {
                          return h2::post(id, "/") + h2::window(id, 0x7fff'ffff);
                      },
                      [](h2::StreamId id) { return h2::get(id, "/") + h2::data(id, "a"); },
                      [](h2::StreamId id) {
                          return h2::post(id, "/", {{"content-length", "1"}}) + h2::data(id, "ab");
                      },
                      [](h2::StreamId id) {
                          return h2::post(id, "/") +
                                 h2::headers(id, {{"a", "b"}}, flag::end_headers);
                      },
                      [](h2::StreamId id) {
                          return h2::post(id, "/") + h2::frame(FrameType::priority, 0, id, "abcd");
                      },
                      [](h2::StreamId id) { return h2::get(id, "/", {{"A", "b"}}); }));

TEST(Http2Attack, MoreStreamsThanAllowedAreRefused) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello());
    Counter streams;
    std::string all;
    for (int i = 0; i < 150; ++i) all += h2::get(streams.id(), "/");
    peer.receive(all);
    EXPECT_EQ(peer.taken.size(), 100u);
    EXPECT_EQ(peer.stream(299).code, ErrorCode::refused_stream);
    const int times = send_until_the_end(peer, [&] { return h2::get(streams.id(), "/"); }, 1'000);
    EXPECT_EQ(times, 51);
    expect_calm(peer);
}

TEST(Http2Attack, ContinuationFloodEnds) {  // CVE-2024-27316
    Http2Driver peer{hello};
    WithBudget memory{peer};
    peer.receive(h2::hello() + h2::frame(FrameType::headers, flag::end_stream, 1, ""));
    const int times = send_until_the_end(
        peer,
        [&] {
            return h2::frame(FrameType::continuation, 0, 1,
                             h2::section({{"a", std::string(4'000, 'a')}}));
        },
        100);
    EXPECT_EQ(times, 9);
    EXPECT_LE(memory.used(), 128u * 1024);
    expect_calm(peer);
    Http2Driver empty{hello};
    empty.receive(h2::hello() + h2::frame(FrameType::headers, flag::end_stream, 1, ""));
    EXPECT_EQ(send_until_the_end(
                  empty, [&] { return h2::frame(FrameType::continuation, 0, 1, ""); }, 100),
              9);
}

TEST(Http2Attack, AnHpackBombIsDecodedOnceAndKeptNever) {  // CVE-2016-6581
    Http2Driver peer{hello};
    WithBudget memory{peer};
    // One field of 4,000 bytes enters the table, and is named 16,000 times: 64 MB.
    std::string block = h2::section(h2::get_fields("/"));
    block += std::string{"\x40\x01"} + "a" + "\x7f\xa1\x1e" + std::string(4'000, 'b');
    block.append(12'000, '\xbe');
    const std::size_t half = block.size() / 2;
    peer.receive(h2::hello() +
                 h2::frame(FrameType::headers, flag::end_stream, 1, block.substr(0, half)) +
                 h2::frame(FrameType::continuation, flag::end_headers, 1, block.substr(half)));
    EXPECT_EQ(peer.stream(1).status(), 431);
    EXPECT_EQ(peer.handled, 0);
    EXPECT_LE(memory.used(), 32u * 1024);
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).content, "hello");
}

TEST(Http2Attack, ATableStaysAsSmallAsItIsAllowed) {
    Http2Driver peer{hello};
    WithBudget memory{peer};
    peer.receive(h2::hello());
    Counter streams;
    for (int i = 0; i < 1'000; ++i) {
        std::string block = h2::section(h2::get_fields("/"));
        block += std::string{"\x40\x04"} + "name" + "\x7d" +
                 std::string(125, static_cast<char>('a' + i % 26));
        peer.receive(h2::frame(FrameType::headers, flag::end_headers | flag::end_stream,
                               streams.id(), block));
    }
    EXPECT_LE(memory.used(), 16u * 1024);
}

/// Frames that carry nothing for a request: CVE-2019-9512 (ping), 9513 (priority), 9515 (settings), 9518
/// (empty content).
class IdleFrames : public ::testing::TestWithParam<std::string> {};

TEST_P(IdleFrames, AreToldToCalmDown) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::post(1, "/"));
    const int times = send_until_the_end(peer, [&] { return GetParam(); }, 5'000);
    EXPECT_LE(times, 1'000);
    EXPECT_GE(times, 900);
    expect_calm(peer);
}

TEST_P(IdleFrames, MayComeNowAndThen) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::post(1, "/"));
    for (int i = 0; i < 5'000; ++i) {
        peer.receive(GetParam());
        peer.now.instant += 20ms;
    }
    EXPECT_TRUE(peer.reader.goaways.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, IdleFrames,
    ::testing::Values(h2::ping(), h2::ping("12345678", flag::ack), h2::settings(),
                      h2::settings_ack(), h2::frame(FrameType::priority, 0, 1, "abcde"),
                      h2::frame(FrameType::priority_update, 0, 0, h2::number(1) + "u=1"),
                      h2::data(1, ""), h2::frame(static_cast<FrameType>(99), 0, 0, "abc")));

TEST(Http2Attack, RepliesThatNobodyReadsStopTheReading) {
    Http2Driver peer{hello};
    WithBudget memory{peer};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.send_max = 0;  // it takes nothing
    peer.receive(h2::get(3, "/"));
    peer.connection->transmit();
    int pings = 0;
    while (reads(peer.step()) && pings < 5'000) {
        peer.receive(h2::ping());
        peer.now.instant += 20ms;
        ++pings;
    }
    EXPECT_EQ(peer.step(), Step::transmit);
    EXPECT_LE(pings, 1'000);
    EXPECT_LE(memory.used(), 64u * 1024);
    peer.pass(peer.timeouts.transmit);
    peer.pass(peer.timeouts.transmit);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Http2Attack, WindowsAndPaddingForNothingEnd) {
    for (const std::string& nothing : {h2::window(0, 1), h2::window(1, 1),
                                       h2::frame(FrameType::data, flag::padded, 1,
                                                 "\xf0"
                                                 "a" +
                                                     std::string(240, '\0'))}) {
        Http2Driver peer{hello};
        peer.handles = false;
        peer.receive(h2::hello() + h2::post(1, "/"));
        std::string many;
        for (std::size_t i = 0; i < 16'000 / nothing.size(); ++i) many += nothing;
        std::size_t content = 0;
        const int times = send_until_the_end(
            peer,
            [&] {
                if (peer.taken.empty()) return many;
                peer.respond(peer.taken.front(), ReadContent{});
                peer.taken.clear();
                content += many.size();
                return many;
            },
            2'000);
        EXPECT_LE(times, 600);
    }
}

TEST(Http2Attack, ZeroWindowsEndWithTheirTime) {  // CVE-2019-9511, 9517
    const std::string content(100'000, 'c');
    std::vector<Outcome> outcomes;
    Http2Driver peer{[&](const Request&) -> Reply {
        Response response;
        response.content_view(content);
        return response;
    }};
    WithBudget memory{peer};
    std::string all = h2::hello({{Setting::initial_window_size, 0}});
    for (h2::StreamId id = 1; id < 200; id += 2) all += h2::get(id, "/");
    peer.receive(all);
    EXPECT_LE(memory.used(), 256u * 1024);  // of 10 MB of answers
    // One of them is opened by a byte at a time.
    for (int i = 0; i < 10; ++i) {
        peer.pass(peer.timeouts.transmit / 10);
        peer.receive(h2::window(1, 1));
    }
    for (h2::StreamId id = 1; id < 200; id += 2) EXPECT_TRUE(peer.stream(id).was_reset) << id;
    EXPECT_EQ(peer.seen.size(), 100u);
    for (const auto& seen : peer.seen) EXPECT_EQ(seen.outcome, Outcome::timed_out);
}

TEST(Http2Attack, AClosedWindowOfTheConnectionEndsWithItsTime) {
    const std::string content(100'000, 'c');
    Http2Driver peer{[&](const Request&) -> Reply {
        Response response;
        response.content_view(content);
        return response;
    }};
    peer.receive(h2::hello({{Setting::initial_window_size, 1'000'000}}) + h2::get(1, "/") +
                 h2::get(3, "/"));
    peer.pass(peer.timeouts.transmit);
    peer.pass(peer.timeouts.transmit);
    EXPECT_TRUE(peer.stream(1).was_reset);
    EXPECT_TRUE(peer.stream(3).was_reset);
}

TEST(Http2Attack, AnIdleConnectionKeepsLittle) {
    Http2Driver peer{hello};
    WithBudget memory{peer};
    std::string all = h2::hello();
    for (h2::StreamId id = 1; id < 200; id += 2) all += h2::get(id, "/");
    peer.receive(all);
    EXPECT_LE(memory.used(), 64u);
    EXPECT_LE(sizeof(Http2Connection), 1'400u);
}

}  // namespace
}  // namespace weir::http
