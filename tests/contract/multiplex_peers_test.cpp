// Peers that leave, that do not read, and that never stop sending.

#include <poll.h>

#include <thread>
#include <vector>

#include "contract/multiplex.h"

namespace weir::tests {
namespace {

using multiplex::FrameType;

struct MultiplexPeers : Multiplex {};
WEIR_OVER_EVERY_ENGINE(MultiplexPeers);

TEST_P(MultiplexPeers, RequestsAreReadWhileALargeAnswerIsNot) {
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    const auto big = ask_for_much(peer, "/big?note=big");
    handler.journal.await("big handled");
    for (int i = 0; i < 20; ++i) {
        peer.request("/text?is=small&note=" + std::to_string(i));
        handler.journal.await(std::to_string(i) + " handled");
    }
    for (std::uint32_t i = 1; i <= 20; ++i) ASSERT_EQ(peer.answer(big + i).content, "small");
    EXPECT_FALSE(peer.stream(big).is_over());
    expect_pattern(peer.answer(big).content, large);
}

TEST_P(MultiplexPeers, LaterAnswersComeBetweenThePiecesOfALargeOne) {
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    const auto later = peer.request("/later?note=a");
    const auto gated = peer.request("/gated?note=b");
    const auto big = ask_for_much(peer, "/stream?note=big");
    handler.journal.await("big handled");
    peer.content(big, 1000);
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    // A loop that waits for this peer alone does not hear of answers from other threads meanwhile.
    const bool hears_of_them = nature_of(engine()).sends_one_at_a_time.empty();
    EXPECT_TRUE(!peer.stream(big).is_over() || !hears_of_them);
    expect_pattern(peer.answer(big).content, large);
}

TEST_P(MultiplexPeers, ContentArrivesWhileALargeAnswerIsNotRead) {
    constexpr std::size_t bytes = 60'000;  // what needs no grant
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    handler.file.resize(large);
    const auto big = ask_for_much(peer, "/file?note=big");
    const auto sink = peer.post("/sink?note=a", pattern(0, bytes));
    handler.journal.await("a arrives");
    peer.finish(sink);
    EXPECT_EQ(peer.answer(sink).content, "60000 bytes\n");
    EXPECT_EQ(peer.answer(big).content.size(), large);
}

TEST_P(MultiplexPeers, ResetWhileAnswersAreAwaited) {
    auto peer = multiplex_client();
    for (int i = 0; i < 10; ++i) peer.request("/later?note=" + std::to_string(i));
    handler.journal.await("9 handled");
    peer.socket().reset();
    for (int i = 0; i < 10; ++i) handler.journal.await(std::to_string(i) + ": peer gone");
    handler.gate.open();
    expect_served();
}

TEST_P(MultiplexPeers, ResetWhileItIsNotReadFrom) {
    bounds.requests = 2;
    auto peer = multiplex_client();
    for (int i = 0; i < 3; ++i) peer.request("/later?note=" + std::to_string(i));
    handler.journal.await("1 handled");
    peer.socket().reset();
    if (nature_of(engine()).misses_resets.empty()) handler.journal.await("0: peer gone");
    handler.gate.open();  // an engine that has missed the reset meets it now
    handler.journal.await("0: peer gone");
    handler.journal.await("1: peer gone");
    expect_served();
}

TEST_P(MultiplexPeers, ResetWhileHandlersRun) {
    // A worker that is forked between the client's socket(2) and connect(2) has a copy of the socket,
    // and no reset is sent while that is open.
    options.engine.workers = engine().forks ? 1 : options.engine.workers;
    expect_served();
    auto peer = multiplex_client();
    for (int i = 0; i < 10; ++i) peer.request("/held?note=" + std::to_string(i));
    handler.journal.await("0 handled");
    peer.socket().reset();
    const bool is_told_at_once = !nature_of(engine()).handles_side_by_side.empty();
    if (is_told_at_once) handler.journal.await("0: peer gone");
    handler.gate.open();
    const bool counts_early = !nature_of(engine()).counts_as_sent_early.empty();
    handler.journal.await(counts_early ? "0: sent" : "0: peer gone");
    expect_served();
}

TEST_P(MultiplexPeers, ResetWhileLargeAnswersAreSent) {
    handler.file.resize(large);
    for (const std::string name : {"big", "stream", "file"}) {
        auto peer = multiplex_client({.receive_buffer_bytes = 4096});
        peer.request("/never?note=beside_" + name);
        peer.content(ask_for_much(peer, "/" + name + "?note=" + name), 1000);
        peer.socket().reset();
        handler.journal.await(name + ": peer gone");
        handler.journal.await("beside_" + name + ": peer gone");
    }
    handler.journal.await("stream streamed: peer gone");
    expect_served();
}

TEST_P(MultiplexPeers, HalfClosedOneGetsItsAnswers) {
    auto peer = multiplex_client();
    const auto gated = peer.request("/gated");
    const auto cut = peer.post("/echo?note=cut", "half of it");
    const auto last = peer.request("/later?note=last");
    handler.journal.await("last handled");
    peer.socket().half_close();
    handler.journal.await("cut: peer gone");
    handler.gate.open();
    peer.grants_what_it_reads = false;
    EXPECT_EQ(peer.answer(gated).content, "first\nsecond\n");
    EXPECT_EQ(peer.answer(last).content, "later ");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_FALSE(peer.stream(cut).is_over());
}

TEST_P(MultiplexPeers, HalfClosedOneGetsWhatIsBeingSent) {
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    const auto big = ask_for_much(peer, "/big?note=a");
    const auto later = peer.request("/later?note=b");
    peer.socket().half_close();
    handler.journal.await("b handled");
    peer.grants_what_it_reads = false;
    handler.gate.open();
    EXPECT_EQ(peer.answer(later).content, "later ");
    expect_pattern(peer.answer(big).content, large);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(MultiplexPeers, NonsenseIsRefused) {
    auto peer = multiplex_client();
    peer.request("/never");
    peer.socket().send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(peer.peer().refused(), "malformed");
    peer.socket().close();
    expect_served();
}

/// Back-pressure: as much as goes in. Then the server reads no more, and holds no more.
TEST_P(MultiplexPeers, WhoSendsAndDoesNotReadIsNotReadFrom) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    constexpr std::size_t more_than_sockets_hold = 100'000'000;
    constexpr std::uint64_t memory_max = 50'000'000;
    auto peer = multiplex_client({.receive_buffer_bytes = 4096});
    expect_served(peer);
    reset_peak_memory();
    const auto memory_before = peak_memory_bytes();
    std::string requests;
    std::size_t sent = 0;
    std::uint32_t stream = peer.peer().last_stream();
    for (pollfd room{peer.socket().fd(), POLLOUT, 0};
         ::poll(&room, 1, static_cast<int>(short_time.count())) > 0;) {
        while (requests.size() < 1'000'000)
            requests += multiplex::frame(FrameType::request, ++stream, "GET /big?own&bytes=1000");
        const auto went_in = peer.socket().send_some(requests);
        requests.erase(0, went_in);
        ASSERT_LT(sent += went_in, more_than_sockets_hold);
    }
    for (int i = 0; i < 10; ++i) expect_served();
    if (!engine().forks && !sanitized) {
        EXPECT_LT(peak_memory_bytes() - memory_before, memory_max);
    }
    peer.socket().reset();
    expect_served();
}

/// Nor does it keep itself from its answers.
TEST_P(MultiplexPeers, WhoNeverStopsSendingKeepsNobodyWaiting) {
    options.timeouts.drain_total = short_time;
    options.engine.workers = nature_of(engine()).worker_serves_one_at_a_time.empty() ? 1 : 2;
    auto peer = multiplex_client();
    constexpr std::uint32_t count = 64;
    for (std::uint32_t i = 0; i < count; ++i)
        peer.request("/later?is=" + std::to_string(i) + "&note=" + std::to_string(i));
    handler.journal.await("63 handled");
    peer.grants_what_it_reads = false;  // the other thread alone sends
    std::string frames;
    for (int i = 0; i < 1000; ++i) frames += multiplex::number_frame(FrameType::window, 0, 1);
    {
        const std::jthread flood{[&] {
            while (peer.socket().offer(frames)) {}
        }};
        if (!one_at_a_time())
            for (int i = 0; i < 10; ++i) expect_served();
        handler.gate.open();
        for (std::uint32_t i = 0; i < count; ++i)
            ASSERT_EQ(peer.answer(i + 1).content, "later " + std::to_string(i));
        server().drain();
        peer.await_goaway();
    }  // it is drained, but not for ever: the other thread ends with the connection
    peer.socket().close();
    expect_end();
}

}  // namespace
}  // namespace weir::tests
