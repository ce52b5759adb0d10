// Requests of one connection side by side, with what each engine does about handlers and other connections.

#include <string>
#include <vector>

#include "contract/http2.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Http2Streams : Http2 {
    /// The server goes on with nothing, for now. A process that was forked can't be looked at.
    void expect_not_handled(const std::string& note) {
        if (engine().forks) return;
        EXPECT_TRUE(other_threads_sleep());
        EXPECT_EQ(handler.journal.count(note + " handled"), 0);
    }
};
WEIR_OVER_EVERY_ENGINE(Http2Streams);

TEST_P(Http2Streams, HandlersRunOneAtATimeInlineAndSeveralInPools) {
    constexpr unsigned workers = 4;
    if (engine().has_queue) options.engine.workers = workers;
    auto peer = http2_client();
    std::vector<http2::StreamId> streams;
    for (int i = 0; i < 64; ++i) streams.push_back(peer.request("/held?note=" + std::to_string(i)));
    handler.journal.await("0 handled");
    if (!nature_of(engine()).handles_side_by_side.empty()) {
        for (unsigned i = 1; i < workers; ++i)
            handler.journal.await(std::to_string(i) + " handled");
        expect_not_handled(std::to_string(workers));
    } else {
        expect_not_handled("1");
    }
    handler.gate.open();
    for (const auto stream : streams) ASSERT_EQ(peer.answer(stream).content, "held\n");
}

TEST_P(Http2Streams, OfManyConnections) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    constexpr unsigned count = 20, requests = 10;
    const auto name = [](unsigned peer, unsigned request) {
        return std::to_string(100 * peer + request);
    };
    std::vector<Http2Client> peers;
    for (unsigned i = 0; i < count; ++i) {
        peers.push_back(http2_client());
        for (unsigned j = 0; j < requests; ++j)
            peers.back().request("/later?is=" + name(i, j) + "&note=" + name(i, j));
    }
    for (unsigned i = 0; i < count; ++i) handler.journal.await(name(i, requests - 1) + " handled");
    handler.gate.open();
    for (unsigned i = 0; i < count; ++i)
        for (unsigned j = 0; j < requests; ++j)
            ASSERT_EQ(peers[i].answer(2 * j + 1).content, "later " + name(i, j));
}

TEST_P(Http2Streams, AreReadWhileALargeAnswerIsNot) {
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    const auto big = ask_for_much(peer, "/big?note=big");
    handler.journal.await("big handled");
    std::vector<http2::StreamId> small;
    for (int i = 0; i < 20; ++i) {
        const auto note = std::to_string(i);
        small.push_back(peer.request("/text?is=small&note=" + note, {{"priority", "u=0"}}));
        handler.journal.await(note + " handled");
    }
    for (const auto stream : small) ASSERT_EQ(peer.answer(stream).content, "small");
    EXPECT_FALSE(peer.stream(big).is_over());
    expect_pattern(peer.answer(big).content, large);
}

TEST_P(Http2Streams, LaterAnswersComeBetweenThePiecesOfALargeOne) {
    options.timeouts.handler =
        for_ever;  // a loop may hear of the answer once the large one is sent
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    const auto gated = peer.request("/gated", {{"priority", "u=0"}});
    peer.content(gated, 6);  // it waits for the gate before the other does, and is woken before it
    const auto later = peer.request("/later?note=a", {{"priority", "u=0"}});
    const auto big = ask_for_much(peer, "/stream?");
    peer.content(big, 1000);
    handler.gate.open();
    handler.journal.await("a responded");  // before this client takes the rest of the large one
    EXPECT_EQ(peer.answer(later).content, "later ");
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    // A loop that waits for this peer alone does not hear of answers from other threads meanwhile.
    const bool hears_of_them = nature_of(engine()).sends_one_at_a_time.empty();
    EXPECT_TRUE(!peer.stream(big).is_over() || !hears_of_them);
    expect_pattern(peer.answer(big).content, large);
}

TEST_P(Http2Streams, ContentArrivesWhileALargeAnswerIsNotRead) {
    constexpr std::size_t bytes = 60'000;  // the windows need not be opened for it
    auto peer = http2_client({.receive_buffer_bytes = 4096});
    handler.file.resize(large);
    const auto big = ask_for_much(peer, "/file?note=big");
    const auto sink = peer.post("/sink?note=a", pattern(0, bytes));
    handler.journal.await("a arrives");
    peer.finish(sink);
    EXPECT_EQ(peer.answer(sink).content, "60000 bytes\n");
    EXPECT_EQ(peer.answer(big).content.size(), large);
}

}  // namespace
}  // namespace weir::tests
