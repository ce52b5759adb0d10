// Content of requests, and answers that come before it has.

#include "contract/contract.h"

namespace weir::tests {
namespace {

struct Content : Contract {
    /// What a peer sends after an early answer is read however late it comes: this client may not be
    /// run for a while.
    Content() { options.timeouts.drain = options.timeouts.drain_total = for_ever; }
};
WEIR_OVER_EVERY_ENGINE(Content);

TEST_P(Content, OfKnownLength) {
    auto peer = client();
    expect_pattern(peer.ask(post("/echo", pattern(0, 300'000))).content, 300'000);
    EXPECT_EQ(peer.ask(post("/echo", "")).content, "");
}

TEST_P(Content, Chunked) {
    auto peer = client();
    const auto head =
        "POST /echo HTTP/1.1\r\nHost: weir.test\r\nTransfer-Encoding: chunked\r\n\r\n";
    peer.send(head + chunk(pattern(0, 4)) + chunk(pattern(4, 1)) + chunk(pattern(5, 100'000)) +
              "0\r\n\r\n");
    expect_pattern(peer.answer().content, 100'005);
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Content, StreamedToTheHandler) {
    auto peer = client();
    const auto content = pattern(0, 3'000'000);
    EXPECT_EQ(peer.ask(post("/sink?note=a", content)).content, "3000000 bytes\n");
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Content, StreamedWithPauses) {
    auto peer = client();
    const auto content = pattern(0, 1'000'000);
    EXPECT_EQ(peer.ask(post("/sink?pause&note=a", content)).content, "1000000 bytes\n");
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Content, StreamCutByThePeer) {
    auto peer = client();
    peer.send(post_head("/sink?note=a", 1000) + "some");
    peer.half_close();
    handler.journal.await("a cut");
    peer.ending();
    EXPECT_EQ(handler.journal.count("a handled"), 1);  // not again: the content is not whole
}

TEST_P(Content, SinkThatFails) {
    auto peer = client();
    peer.send(post_head("/sink?fail&note=a", 1000) + "some");
    EXPECT_EQ(peer.answer().status, 500);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Content, ExpectContinue) {
    auto peer = client();
    peer.send(post_head("/echo", 5, "Expect: 100-continue\r\n"));
    EXPECT_EQ(peer.answer().status, 100);
    peer.send("hello");
    const auto answer = peer.answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content, "hello");
}

TEST_P(Content, ExpectContinueIsRefusedByAFinalAnswer) {
    auto peer = client();
    peer.send(post_head("/refuse", 5, "Expect: 100-continue\r\n"));
    EXPECT_EQ(peer.answer().status, 403);
}

TEST_P(Content, UnreadIsNeverTakenForARequest) {
    const auto smuggled = get("/text?note=smuggled");
    // All at once, the content after the answer, and half of it.
    for (const std::size_t early : {smuggled.size(), std::size_t{0}, smuggled.size() / 2}) {
        auto peer = client();
        peer.send(post_head("/refuse", smuggled.size()) + smuggled.substr(0, early));
        EXPECT_EQ(peer.answer().status, 403);
        // Whether the connection goes on is the core's to decide; the content is no request.
        peer.offer(smuggled.substr(early) + get("/hello"));
        peer.half_close();
        peer.ending();
    }
    EXPECT_EQ(handler.journal.count("smuggled handled"), 0);
}

TEST_P(Content, EarlyAnswerArrivesWhileThePeerGoesOnSending) {
    auto peer = client();
    const auto content = pattern(0, 900'000);
    peer.send(post_head("/refuse", content.size()) + content.substr(0, 64 * 1024));
    ASSERT_TRUE(peer.readable_within(time_limit));
    // Everything that is on its way when the server answers could turn its close into a reset.
    peer.send(std::string_view{content}.substr(64 * 1024));
    peer.half_close();
    EXPECT_EQ(peer.answer().status, 403);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

/// Most clients look for an answer only once they have sent everything.
TEST_P(Content, EarlyAnswerIsThereBehindALongUpload) {
    for (const std::size_t megabytes : {3, 64}) {
        auto peer = client();
        peer.send(post_head("/refuse", megabytes << 20));
        const std::string megabyte(1 << 20, 'x');
        for (std::size_t i = 0; i < megabytes; ++i) peer.send(megabyte);
        EXPECT_EQ(peer.answer().status, 403) << megabytes;
        EXPECT_EQ(peer.ending(), Ending::closed) << megabytes;
    }
}

TEST_P(Content, EarlyAnswerEndsBeforeThePeerDoes) {
    auto peer = client();
    peer.send(post_head("/refuse", 500'000) + "some");
    EXPECT_EQ(peer.answer().status, 403);
    // Otherwise a peer that waits for the end of what it reads, before it stops sending, hangs.
    EXPECT_EQ(peer.ending(), Ending::closed);
    peer.send("more");
}

TEST_P(Content, TooLargeIsSaidWhileItIsBeingSent) {
    options.limits.content_bytes_max = 1000;
    auto peer = client();
    peer.send(post("/echo", pattern(0, 500'000)));
    peer.half_close();
    EXPECT_EQ(peer.answer().status, 413);
    EXPECT_EQ(peer.ending(), Ending::closed);
}

struct Refusal {
    std::string_view name;
    std::string request;
    int status;
};

std::vector<Refusal> refusals() {
    const std::string chunked = "Transfer-Encoding: chunked\r\n\r\n";
    const std::string head = "POST /echo HTTP/1.1\r\nHost: weir.test\r\n";
    std::vector<Refusal> all{
        {"no request line", "nonsense\r\n\r\n", 400},
        {"a bare LF", "GET / HTTP/1.1\nHost: weir.test\n\n", 400},
        {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two lengths", head + "Content-Length: 5\r\n" + chunked, 400},
        {"an unknown coding", head + "Transfer-Encoding: gzip\r\n\r\n", 501},
        {"a broken chunk", head + chunked + "no size\r\n", 400},
        {"an unknown expectation", head + "Content-Length: 5\r\nExpect: more\r\n\r\n", 417},
        {"a long target", get("/" + std::string(10'000, 'x')), 414},
        {"a long head", get("/hello", "X: " + std::string(10'000, 'x') + "\r\n"), 431},
        {"another major version", "GET / HTTP/2.0\r\nHost: weir.test\r\n\r\n", 505},
    };
    return all;
}

TEST_P(Content, EveryRefusalArrivesWhileThePeerGoesOnSending) {
    const std::string more(300'000, 'x');
    for (const auto& refusal : refusals()) {
        SCOPED_TRACE(refusal.name);
        auto peer = client();
        peer.send(refusal.request);
        peer.send(more);
        peer.half_close();
        EXPECT_EQ(peer.answer().status, refusal.status);
        EXPECT_EQ(peer.ending(), Ending::closed);
    }
    expect_served();
}

}  // namespace
}  // namespace weir::tests
