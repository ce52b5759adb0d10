// Peers that leave while their answer is awaited, as clients do: with close(2), which sends a FIN.

#include "contract/contract.h"

namespace weir::tests {
namespace {

struct Leaving : Contract {};
WEIR_OVER_EVERY_ENGINE(Leaving);

TEST_P(Leaving, EndsAContinuationThatWaits) {
    auto peer = client();
    peer.send(get("/awaited?note=a"));
    handler.journal.await("a handled");
    peer.close();
    handler.journal.await("a cut");
    expect_served();
}

TEST_P(Leaving, EndsAContinuationBehindOtherAnswers) {
    auto peer = client();
    peer.send(get("/hello") + post("/echo", "twelve bytes") + get("/awaited?note=a"));
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.answer().content, "twelve bytes");
    handler.journal.await("a handled");
    peer.close();
    handler.journal.await("a cut");
    expect_served();
}

TEST_P(Leaving, EndsASourceThatPauses) {
    auto peer = client();
    peer.send(get("/gated?note=a&live"));
    handler.journal.await("a handled");
    EXPECT_EQ(peer.answer_head().status, 200);
    EXPECT_EQ(read_chunk(peer), "first\n");
    peer.close();
    handler.journal.await({"a streamed: peer gone", "a: peer gone"});
    expect_served();
}

TEST_P(Leaving, AtOnceEndsWhatWaits) {
    start();
    for (int i = 0; i < 10; ++i) {
        const std::string name = std::to_string(i);
        auto peer = client();
        peer.send(get("/awaited?note=" + name));
        peer.close();
        handler.journal.await(name + " cut");
    }
    expect_served();
}

TEST_P(Leaving, HalfClosedPeerGetsItsAnswerIfThatIsWanted) {
    options.limits.half_close = true;
    auto peer = client();
    peer.send(get("/awaited?note=a"));
    peer.half_close();
    handler.journal.await("a handled");
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "awaited\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Leaving, HalfClosedPeerGetsTheRestOfAFiniteStream) {
    auto peer = client();
    peer.send(get("/gated?note=a"));
    peer.half_close();
    handler.journal.await("a handled");
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "first\nsecond\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Leaving, RequestsThatCameBeforeAreAnswered) {
    auto peer = client();
    peer.send(get("/later?note=a"));
    handler.journal.await("a handled");
    peer.send(get("/hello"));
    peer.half_close();
    handler.gate.open();
    EXPECT_EQ(peer.answer().content, "later ");
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
}

}  // namespace
}  // namespace weir::tests
