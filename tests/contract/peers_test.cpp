// Peers that are slow, leave early, or want more than their share.

#include <stop_token>
#include <thread>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Peers : Contract {
    /// They stay for longer than a client of the tests waits: an engine that waits for one is seen.
    void let_stalled_peers_stay() {
        constexpr milliseconds longer = 10 * time_limit;
        http::Timeouts& timeouts = options.timeouts;
        timeouts.head = timeouts.body = timeouts.transmit = timeouts.keep_alive = longer;
    }
};
WEIR_OVER_EVERY_ENGINE(Peers);

TEST_P(Peers, WholeRequestsAreAnsweredAfterAHalfClose) {
    auto peer = client();
    peer.send(get("/hello") + get("/text?is=b") + post("/echo", "c"));
    peer.half_close();
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.answer().content, "b");
    EXPECT_EQ(peer.answer().content, "c");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Peers, LargeAnswerAfterAHalfClose) {
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/big?bytes=1000000"));
    peer.half_close();
    expect_pattern(peer.answer().content, 1'000'000);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Peers, CutRequestsAreNeverHandled) {
    const std::string whole = get("/hello");
    const std::string head = get("/hello?note=cut");
    const std::string content = post_head("/echo?note=begun", 100);
    for (const auto& cut : {head.substr(0, head.size() - 2), content + "half of it"}) {
        auto peer = client();
        peer.send(whole + cut);
        peer.half_close();
        EXPECT_EQ(peer.answer().content, "hello\n");
        peer.ending();
    }
    EXPECT_EQ(handler.journal.count("cut handled"), 0);
    EXPECT_EQ(handler.journal.count("begun handled"), 1);  // to be asked what to do with content
}

TEST_P(Peers, SlowReaderKeepsNobodyWaiting) {
    let_stalled_peers_stay();
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    auto slow = client({.receive_buffer_bytes = 4096});
    slow.send(get("/big?bytes=20000000"));
    ASSERT_EQ(slow.answer_head().length, 20'000'000u);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(slow.take(1000), pattern(static_cast<std::size_t>(i) * 1000, 1000));
        expect_served();
    }
}

TEST_P(Peers, SlowSendersKeepNobodyWaiting) {
    let_stalled_peers_stay();
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto of_head = client();
    auto of_content = client();
    const auto head = get("/hello");
    const auto content = post("/echo", pattern(0, 20));
    for (std::size_t i = 0; i < std::max(head.size(), content.size()); ++i) {
        of_head.send(head.substr(std::min(i, head.size()), 1));
        of_content.send(content.substr(std::min(i, content.size()), 1));
        expect_served();
    }
    EXPECT_EQ(of_head.answer().content, "hello\n");
    EXPECT_EQ(of_content.answer().content, pattern(0, 20));
}

TEST_P(Peers, ResetWhileAnAnswerIsSent) {
    handler.file.resize(50'000'000);
    for (const auto* target : {"/big?bytes=50000000&note=big", "/stream?bytes=50000000&note=stream",
                               "/file?bytes=50000000&note=file"}) {
        auto peer = client({.receive_buffer_bytes = 4096});
        peer.send(get(target));
        peer.take(1000);
        peer.reset();
    }
    for (const auto* line : {"big: peer gone", "stream: peer gone", "file: peer gone"})
        handler.journal.await(line);
    handler.journal.await("stream streamed: peer gone");
    expect_served();
}

TEST_P(Peers, ResetAtOnce) {
    start();
    for (int i = 0; i < 100; ++i) {
        auto peer = client();
        peer.send(get("/hello"));
        peer.reset();
    }
    expect_served();
}

TEST_P(Peers, ResetWhileContentArrives) {
    auto peer = client();
    peer.send(post_head("/sink?note=a", 1'000'000) + pattern(0, 1000));
    handler.journal.await("a arrives");
    peer.reset();
    handler.journal.await("a cut");
    expect_served();
}

TEST_P(Peers, StalledOnesKeepNobodyWaiting) {
    let_stalled_peers_stay();
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    std::vector<Client> stalled;
    for (int i = 0; i < 250; ++i) {
        stalled.push_back(client({.receive_buffer_bytes = 4096}));
        switch (i % 4) {
            case 0: break;
            case 1: stalled.back().send("GET /hello HTTP/1.1\r\nHo"); break;
            case 2: stalled.back().send(post_head("/echo", 1000) + "some"); break;
            case 3: stalled.back().send(get("/stream?bytes=50000000")); break;
        }
    }
    for (int i = 0; i < 10; ++i) expect_served();
}

TEST_P(Peers, PipelinerThatReadsLateKeepsNobodyWaiting) {
    let_stalled_peers_stay();
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    constexpr int count = 5000;
    auto greedy = client();
    std::string requests;
    for (int i = 0; i < count; ++i) requests += get("/big?own&bytes=1000");
    // As much as goes in: the server must stop reading, with its output unread.
    std::size_t sent = greedy.send_some(requests);
    for (int i = 0; i < 10; ++i) expect_served();
    for (int i = 0; i < count; ++i) {
        sent += greedy.send_some(std::string_view{requests}.substr(sent));
        ASSERT_EQ(greedy.answer().content.size(), 1000u);
    }
}

TEST_P(Peers, FastReaderOfALotKeepsNobodyWaiting) {
    options.engine.workers = 1;  // or the other might be a neighbour's to serve
    let_stalled_peers_stay();
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    handler.file.resize(1'000'000'000'000);
    for (const std::string target : {"/stream?bytes=1000000000000", "/file?bytes=1000000000000"}) {
        auto greedy = client();
        greedy.send(get(target));
        greedy.answer_head();
        std::jthread reader{[&](const std::stop_token& enough) {
            while (!enough.stop_requested()) greedy.discard_some();
        }};
        for (int i = 0; i < 10; ++i) expect_served();
    }
}

TEST_P(Peers, ThousandsComeAndGoWithoutALeak) {
    constexpr int count = sanitized ? 500 : 2000;
    start();
    expect_served();
    server().stop_now();
    server().wait();
    ASSERT_TRUE(other_threads_sleep());  // a joined thread still counts for a moment
    const int descriptors = open_descriptors();
    const int threads_before = threads();

    restart_on_same_port();
    for (int i = 0; i < count; ++i) {
        auto peer = client();
        const bool closes = i % 3 == 0;
        const auto answer = peer.ask(get("/hello", closes ? "Connection: close\r\n" : ""));
        ASSERT_EQ(answer.status, 200);
        if (i % 3 == 1) peer.reset();
    }
    server().stop_now();
    server().wait();
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_TRUE(threads_become(threads_before));
}

}  // namespace
}  // namespace weir::tests
