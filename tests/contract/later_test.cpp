// Answers that come from another thread.

#include "contract/contract.h"

namespace weir::tests {
namespace {

struct Later : Contract {};
WEIR_OVER_EVERY_ENGINE(Later);

TEST_P(Later, AnswerFromAnotherThread) {
    auto peer = client();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(peer.ask(get("/later?open")).content, "later ");
}

TEST_P(Later, PipelinedStayInOrder) {
    auto peer = client();
    std::string requests;
    for (int i = 0; i < 20; ++i)
        requests += get("/later?open&is=" + std::to_string(i)) + get("/hello");
    peer.send(requests);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(peer.answer().content, "later " + std::to_string(i));
        ASSERT_EQ(peer.answer().content, "hello\n");
    }
}

TEST_P(Later, EarlierAnswersDoNotWait) {
    auto peer = client();
    peer.send(get("/hello") + get("/later"));
    EXPECT_EQ(peer.answer().content, "hello\n");
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
}

TEST_P(Later, RequestsBehindOneThatWaitsAreKept) {
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    peer.send(get("/hello") + post("/echo", pattern(0, 200'000)));
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
    EXPECT_EQ(peer.answer().content, "hello\n");
    expect_pattern(peer.answer().content, 200'000);
}

TEST_P(Later, RequestsBehindOneThatWaitsAreNotThoseOfOthers) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    std::vector<Client> peers;
    for (const std::string name : {"a", "b", "c"}) {  // as long as each other, to the byte
        peers.push_back(client());
        peers.back().send(get("/later?note=" + name) + get("/text?is=" + name));
        handler.journal.await(name + " handled");
    }
    handler.gate.open();
    for (const std::size_t i : {0, 1, 2}) {
        EXPECT_EQ(peers[i].answer().content, "later ");
        EXPECT_EQ(peers[i].answer().content, std::string{"abc"}.substr(i, 1));
    }
}

TEST_P(Later, OthersAreServedMeanwhile) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    for (int i = 0; i < 10; ++i) expect_served();
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
}

TEST_P(Later, ForgottenPromiseIsAnswered500) {
    auto peer = client();
    EXPECT_EQ(peer.ask(get("/dropped")).status, 500);
    expect_served();
}

TEST_P(Later, PeerThatHalfClosedStillGetsIt) {
    auto peer = client();
    peer.send(get("/later?note=a"));
    peer.half_close();
    handler.journal.await("a handled");
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Later, AnswersForPeersThatHaveGoneAreDropped) {
    start();
    for (int i = 0; i < 10; ++i) {
        auto peer = client();
        peer.send(get("/later?note=" + std::to_string(i)));
        // One at a time: those behind the first are not even read yet.
        if (i == 0 || !one_at_a_time()) handler.journal.await(std::to_string(i) + " handled");
        peer.reset();
    }
    handler.gate.open();
    expect_served();
}

TEST_P(Later, AnswersForPeersThatHaveGoneReachNobodyElse) {
    options.timeouts.handler = handler_time();
    auto gone = client();
    gone.send(get("/later?note=gone"));
    handler.journal.await("gone handled");
    gone.reset();
    // Comes into the place of the other, where an engine has places, and waits for an answer too.
    auto peer = client();
    peer.send(get("/never?note=here"));
    handler.journal.await("here handled");
    handler.gate.open();
    EXPECT_EQ(peer.answer().status, 503);
}

TEST_P(Later, AnswersAfterTheServerHasGoneAreDropped) {
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    server().stop_now();
    expect_end();
    handler.gate.open();  // what answers now finds nobody; its postbox must still be there
    restart_on_same_port();
    expect_served();
}

TEST_P(Later, TheSourceOfAnAnswerForNobodyGetsItsLastCall) {
    if (engine().forks) GTEST_SKIP() << engine().name << ": the answer ends with its process";
    auto peer = client();
    peer.send(get("/later?note=a&source"));
    handler.journal.await("a handled");
    server().stop_now();
    expect_end();
    handler.gate.open();
    handler.journal.await({"a streamed: stopped", "a streamed: peer gone"});
}

TEST_P(Later, ManyAtOnce) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    std::vector<Client> peers;
    for (int i = 0; i < 100; ++i) {
        peers.push_back(client());
        const auto number = std::to_string(i);
        peers.back().send(get("/later?note=" + number + "&is=" + number));
    }
    for (int i = 0; i < 100; ++i) handler.journal.await(std::to_string(i) + " handled");
    handler.gate.open();
    for (std::size_t i = 0; i < peers.size(); ++i)
        ASSERT_EQ(peers[i].answer().content, "later " + std::to_string(i));
}

}  // namespace
}  // namespace weir::tests
