// Where there is nothing to do for a peer, nothing is done: for one that has gone, and for one that
// must wait.

#include <poll.h>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct NothingToDo : Contract {};
WEIR_OVER_EVERY_ENGINE(NothingToDo);

TEST_P(NothingToDo, ForThoseWhoHaveGone) {
    if (const auto reason = nature_of(engine()).never_sleeps; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    // It is there before them and stays, so that a poller that still lists them finds them there.
    auto before_them = client();
    if (!one_at_a_time()) before_them.ask(get("/hello"));
    for (int i = 0; i < 3; ++i) {
        auto closes = client();
        if (one_at_a_time()) before_them.close();
        EXPECT_EQ(closes.ask(get("/hello")).status, 200);
        closes.close();
        auto resets = client();
        EXPECT_EQ(resets.ask(get("/hello")).status, 200);
        resets.reset();
        auto is_closed = client();
        EXPECT_EQ(is_closed.ask(get("/hello", "Connection: close\r\n")).status, 200);
        EXPECT_EQ(is_closed.ending(), Ending::closed);
    }
    auto stays = client();
    EXPECT_EQ(stays.ask(get("/hello")).status, 200);
    // On a busy machine, a server that spins may get little time for it; but it never sleeps.
    EXPECT_TRUE(other_threads_sleep());
    // Nothing comes: this only lets the time pass in which a server that spins would burn it.
    constexpr milliseconds observed{300};
    const auto used_before = cpu_time();
    EXPECT_FALSE(stays.readable_within(observed));
    EXPECT_LT(cpu_time() - used_before, observed / 3);
}

TEST_P(NothingToDo, ForAnAnswerThatNobodyAwaitsAnyMore) {
    options.engine.workers = 1;
    // Where a reset is seen, the only place becomes free.
    if (nature_of(engine()).misses_resets.empty()) options.engine.connections_max = 1;
    options.timeouts.handler = for_ever;
    auto peer = client();
    peer.send(get("/never?note=peer"));
    handler.journal.await("peer handled");
    peer.reset();
    expect_served();
}

TEST_P(NothingToDo, ForWorkWhosePeerHasGone) {
    options.timeouts.handler = for_ever;
    auto peer = client();
    peer.send(get("/busy?note=peer"));
    handler.journal.await("peer handled");
    peer.reset();
    handler.journal.await("peer ended");
    expect_served();
}

/// What it sends stays in the kernel, until the peer can't send any more.
struct NotRead : Contract {
    void expect_not_read(Client& peer) {
        constexpr std::size_t more_than_sockets_hold = 50'000'000;
        peer.send(post_head("/sink", more_than_sockets_hold));
        const std::string content = pattern(0, 1'000'000);
        std::size_t sent = 0;
        for (pollfd room{peer.fd(), POLLOUT, 0}; ::poll(&room, 1, short_time.count()) > 0;) {
            sent += peer.send_some(content);
            ASSERT_LT(sent, more_than_sockets_hold);
        }
        EXPECT_GT(sent, 0u);
    }
};
WEIR_OVER_EVERY_ENGINE(NotRead);

TEST_P(NotRead, WhileItsHandlerWorks) {
    auto peer = client();
    peer.send(get("/never?note=peer"));
    handler.journal.await("peer handled");
    expect_not_read(peer);
}

TEST_P(NotRead, WhileItReadsNothing) {
    auto peer = client({.receive_buffer_bytes = 4'096});
    peer.send(get("/big?bytes=100000000"));
    EXPECT_EQ(peer.answer_head().status, 200);
    expect_not_read(peer);
}

}  // namespace
}  // namespace weir::tests
