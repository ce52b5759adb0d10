// What one peer that reads slowly does to all others: to nobody, or, under an engine that sends as
// blocking sockets do, to everybody on its loop.

#include "contract/contract.h"

namespace weir::tests {
namespace {

struct SlowReader : Contract {
    static constexpr std::size_t large = 20'000'000;
    /// Shorter than the second after which a slow peer is cut for others that wait (PeerTimeSlice).
    static constexpr milliseconds for_a_moment{100};

    SlowReader() { options.engine.workers = 1; }  // or the others might be on another loop
    bool holds_up_others() const {
        return one_at_a_time() || !nature_of(engine()).sends_one_at_a_time.empty();
    }

    /// Asks for more than its socket's buffers hold, and reads the head.
    Client slow_reader() {
        auto slow = client({.receive_buffer_bytes = 4096});
        slow.send(get("/big?note=slow&bytes=" + std::to_string(large), "Connection: close\r\n"));
        EXPECT_EQ(slow.answer_head().length, large);
        return slow;
    }
};
WEIR_OVER_EVERY_ENGINE(SlowReader);

TEST_P(SlowReader, OthersWaitForItOnlyWhereTheEngineSendsToOneAtATime) {
    auto slow = slow_reader();
    auto other = client();
    other.send(get("/hello", "Connection: close\r\n"));
    if (holds_up_others()) {
        const bool is_cut = other.readable_within(for_a_moment);
        std::string content;
        slow.ending(&content);
        // Only a machine that stands still for a second cuts it.
        if (is_cut || content.size() != large) handler.journal.await("slow: timed out");
    }
    EXPECT_EQ(other.answer().content, "hello\n");
}

TEST_P(SlowReader, HoldsUpOthersUntilItsDeadlineAtTheLatest) {
    options.timeouts.transmit = short_time;
    auto slow = slow_reader();
    auto other = client();
    EXPECT_EQ(other.ask(get("/hello")).content, "hello\n");
    handler.journal.await("slow: timed out");
}

TEST_P(SlowReader, HoldsUpTheStopUntilItsTimeIsOver) {
    options.engine.stop_timeout = short_time;
    auto slow = slow_reader();
    server().drain();
    expect_end();
    handler.journal.await("slow: stopped");
}

}  // namespace
}  // namespace weir::tests
