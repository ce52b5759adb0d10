// Requests of one connection, side by side.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "contract/multiplex.h"

namespace weir::tests {
namespace {

struct MultiplexStreams : Multiplex {
    static constexpr std::uint32_t count = 64;
};
WEIR_OVER_EVERY_ENGINE(MultiplexStreams);

TEST_P(MultiplexStreams, OneAfterTheOther) {
    auto peer = multiplex_client();
    for (int i = 0; i < 20; ++i) expect_served(peer);
}

TEST_P(MultiplexStreams, SixtyFourInFlightAreAnsweredInAnyOrder) {
    auto peer = multiplex_client();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < count; ++i)
        order.push_back(
            peer.post("/echo?note=" + std::to_string(i), "to " + std::to_string(i + 1)));
    for (std::uint32_t i = 0; i < count; ++i) handler.journal.await(std::to_string(i) + " handled");
    std::ranges::shuffle(order, std::mt19937{count});
    for (const auto stream : order) {
        peer.finish(stream);
        ASSERT_EQ(peer.answer(stream).content, "to " + std::to_string(stream));
    }
    EXPECT_EQ(peer.peer().over(), order);
}

TEST_P(MultiplexStreams, SixtyFourLaterAnswersDoNotKeepEachOtherWaiting) {
    auto peer = multiplex_client();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto is = "is=" + std::to_string(i);
        peer.request(i % 2 == 0 ? "/later?" + is : "/later?open&" + is);
    }
    for (std::uint32_t i = 1; i < count; i += 2)
        ASSERT_EQ(peer.answer(i + 1).content, "later " + std::to_string(i));
    EXPECT_EQ(peer.peer().over().size(), count / 2);
    handler.gate.open();
    for (std::uint32_t i = 0; i < count; i += 2)
        ASSERT_EQ(peer.answer(i + 1).content, "later " + std::to_string(i));
}

TEST_P(MultiplexStreams, HandlersRunOneAtATimeInlineAndSeveralInPools) {
    constexpr unsigned workers = 4;
    if (engine().has_queue) options.engine.workers = workers;
    auto peer = multiplex_client();
    for (std::uint32_t i = 0; i < count; ++i) peer.request("/held?note=" + std::to_string(i));
    handler.journal.await("0 handled");
    if (!nature_of(engine()).handles_side_by_side.empty()) {
        for (unsigned i = 1; i < workers; ++i)
            handler.journal.await(std::to_string(i) + " handled");
        expect_not_handled(std::to_string(workers));
    } else {
        expect_not_handled("1");
    }
    handler.gate.open();
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(peer.answer(i + 1).content, "held\n");
}

TEST_P(MultiplexStreams, ContentOfEveryKindSideBySide) {
    constexpr std::size_t bytes = 300'000;
    handler.file.write(pattern(0, bytes));
    auto peer = multiplex_client();
    for (const std::string target :
         {"/big?", "/big?own&", "/file?", "/stream?", "/stream?sized&", "/stream?pause=3&"})
        peer.request(target + "bytes=" + std::to_string(bytes));
    const auto parts = peer.request("/parts?bytes=" + std::to_string(bytes));
    const auto gated = peer.request("/gated");
    for (std::uint32_t stream = 1; stream < parts; ++stream)
        expect_pattern(peer.answer(stream).content, bytes);
    EXPECT_EQ(peer.answer(parts).content, "before\n" + pattern(0, bytes) + "after\n");
    EXPECT_EQ(peer.content(gated, 6).content, "first\n");
    handler.gate.open();
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
}

TEST_P(MultiplexStreams, ContentArrivesSideBySide) {
    constexpr std::size_t bytes = 200'000, piece = 5'000;
    auto peer = multiplex_client();
    const std::vector streams{peer.post("/echo"), peer.post("/sink?note=a"),
                              peer.post("/sink?note=b&pause")};
    for (std::size_t at = 0; at < bytes; at += piece)
        for (const auto stream : streams) peer.upload(stream, pattern(at, piece));
    for (const auto stream : streams) peer.finish(stream);
    expect_pattern(peer.answer(streams[0]).content, bytes);
    EXPECT_EQ(peer.answer(streams[1]).content, "200000 bytes\n");
    EXPECT_EQ(peer.answer(streams[2]).content, "200000 bytes\n");
}

TEST_P(MultiplexStreams, AnswersStopAtTheirWindowsAndGoOnWithThem) {
    constexpr std::uint32_t bytes = 200'000;
    handler.file.write(pattern(0, bytes));
    auto peer = multiplex_client();
    peer.grants_what_it_reads = false;
    for (const std::string target : {"/big", "/file", "/stream"}) {
        const auto stream = peer.request(target + "?bytes=" + std::to_string(bytes));
        peer.content(stream, multiplex::first_stream_window);
        expect_served(peer);  // it does not keep others waiting
        EXPECT_EQ(peer.stream(stream).content.size(), multiplex::first_stream_window);
        peer.grant(stream, 1);
        peer.content(stream, multiplex::first_stream_window + 1);
        peer.grant(stream, bytes);
        expect_pattern(peer.answer(stream).content, bytes);
    }
}

TEST_P(MultiplexStreams, OfManyConnections) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    std::vector<MultiplexClient> peers;
    for (int i = 0; i < 20; ++i) {
        peers.push_back(multiplex_client());
        for (int j = 0; j < 10; ++j) {
            const auto name = std::to_string(100 * i + j);
            peers.back().request("/later?is=" + name + "&note=" + name);
        }
    }
    for (int i = 0; i < 20; ++i) handler.journal.await(std::to_string(100 * i + 9) + " handled");
    handler.gate.open();
    for (int i = 0; i < 20; ++i)
        for (std::uint32_t j = 0; j < 10; ++j)
            ASSERT_EQ(peers[static_cast<std::size_t>(i)].answer(j + 1).content,
                      "later " + std::to_string(100 * i + static_cast<int>(j)));
}

}  // namespace
}  // namespace weir::tests
