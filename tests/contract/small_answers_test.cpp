// Small answers, one at a time, to a peer that does not read them yet: until the socket is full, and
// one of them goes in partly or not at all.

#include <string>

#include "contract/contract.h"
#include "support/temporary_path.h"

namespace weir::tests {
namespace {

struct SmallAnswers : Contract {
    static constexpr std::size_t bytes = 3000;
    static constexpr int more_than_fit = 1800;  // into 4 MB, the largest buffer of a socket

    SmallAnswers() {
        options.engine.workers = 1;  // or the two clients might be on two loops
        options.timeouts.transmit = std::chrono::hours{1};  // so late may the first one read
    }

    /// Each request reaches the server alone: another client's answer shows that the loop has been
    /// round since.
    void ask_one_by_one(Client& late, Client& other, int count) {
        for (int i = 0; i < count; ++i) {
            late.send(get("/big?own&bytes=" + std::to_string(bytes)));
            EXPECT_EQ(other.ask(get("/hello")).content, "hello\n");
        }
        late.half_close();
        EXPECT_EQ(other.ask(get("/hello")).content, "hello\n");
    }
    static void expect_all(Client& late, int count) {
        for (int i = 0; i < count; ++i) expect_pattern(late.answer().content, bytes);
        EXPECT_EQ(late.ending(), Ending::closed);
    }
};
WEIR_OVER_EVERY_ENGINE(SmallAnswers);

TEST_P(SmallAnswers, AreAllWholeForAPeerThatReadsLate) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    auto late = client({.receive_buffer_bytes = 4096});
    auto other = client();
    ask_one_by_one(late, other, more_than_fit);
    expect_all(late, more_than_fit);
}

/// A unix socket takes some fifty of them: in one of the rounds, it is the last that does not fit.
TEST_P(SmallAnswers, AreAllSentToAPeerThatHasShutDownItsSide) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    const auto path = "unix:" + temporary_path("weir-small-" + name_of_engine({GetParam(), 0}));
    options.addresses = {net::Address::parse(path, 0).value()};
    auto other = client();
    for (int count = 30; count < 70; ++count) {
        auto late = client();
        ask_one_by_one(late, other, count);
        expect_all(late, count);
    }
}

TEST_P(SmallAnswers, AreCutByAStopNow) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    auto late = client({.receive_buffer_bytes = 4096});
    auto other = client();
    ask_one_by_one(late, other, more_than_fit);
    server().stop_now();
    expect_end();
}

TEST_P(SmallAnswers, AreGivenUpIfThePeerNeverReads) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    options.timeouts.transmit = short_time;
    auto late = client({.receive_buffer_bytes = 4096});
    auto other = client();
    for (int i = 0; i < more_than_fit; ++i) {
        if (!late.offer(get("/big?own&bytes=" + std::to_string(bytes)))) break;
        EXPECT_EQ(other.ask(get("/hello")).content, "hello\n");
    }
    late.await_hang_up();
}

}  // namespace
}  // namespace weir::tests
