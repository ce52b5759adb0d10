#include "server/metrics/recorder.h"

#include <gtest/gtest.h>

#include <latch>
#include <numeric>
#include <thread>
#include <vector>

#include "server/metrics/totals.h"
#include "unit/server/function_handler.h"
#include "unit/server/parsed_request.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;

constexpr Instant began{5s};

struct Told final : http::Observer {
    int times = 0;
    void answered(const http::Answered&) noexcept override { ++times; }
};

void answer(Recorder& recorder, const http::Request* request, const http::Origin& origin,
            http::Status status = http::Status::ok, std::chrono::milliseconds took = 0ms,
            std::uint64_t bytes = 0, http::Outcome outcome = http::Outcome::sent) {
    recorder.answered({.request = request,
                       .origin = origin,
                       .status = status,
                       .outcome = outcome,
                       .content_bytes = bytes,
                       .began = began,
                       .now = {.instant = began + took}});
}

struct Recording : testing::Test {
    const ParsedRequest request{"GET / HTTP/1.1\r\nHost: a\r\n\r\n"};
    Recorder recorder;
    Totals totals() const { return Totals{recorder.table()}; }
};

TEST_F(Recording, IsByProtocolAndClassOfStatus) {
    const ParsedRequest old{"GET / HTTP/1.0\r\n\r\n"};
    answer(recorder, &request.get(), request);
    answer(recorder, &request.get(), request, http::Status::not_found);
    answer(recorder, &old.get(), old, http::Status::internal_server_error);
    answer(recorder, nullptr, request, http::Status::bad_request);
    const Totals all = totals();
    EXPECT_EQ(all.answers[1][1].duration.values(), 1u);
    EXPECT_EQ(all.answers[1][3].duration.values(), 1u);
    EXPECT_EQ(all.answers[0][4].duration.values(), 1u);
    EXPECT_EQ(all.answers[3][3].duration.values(), 1u);
    EXPECT_EQ(all.outcomes[0], 4u);
}

TEST_F(Recording, SortsDurationsAndSizes) {
    answer(recorder, &request.get(), request, http::Status::ok, 10ms, 1024);
    answer(recorder, &request.get(), request, http::Status::ok, 11ms, 1025);
    answer(recorder, &request.get(), request, http::Status::ok, 61s, 1ull << 40u);
    const Totals all = totals();
    const auto& [duration, size] = all.answers[1][1];
    EXPECT_EQ(duration.buckets[2], 1u);  // up to 10 ms
    EXPECT_EQ(duration.buckets[3], 1u);  // up to 25 ms
    EXPECT_EQ(duration.buckets.back(), 1u);
    EXPECT_EQ(duration.sum, 10u + 11u + 61'000u);
    EXPECT_EQ(size.buckets[0], 1u);
    EXPECT_EQ(size.buckets[1], 1u);
    EXPECT_EQ(size.buckets.back(), 1u);
    EXPECT_EQ(size.sum, 1024u + 1025u + (1ull << 40u));
}

TEST_F(Recording, TellsOutcomesApart) {
    answer(recorder, &request.get(), request, http::Status::ok, 0ms, 5, http::Outcome::timed_out);
    EXPECT_EQ(totals().outcomes[2], 1u);
    EXPECT_EQ(totals().outcomes[0], 0u);
}

TEST_F(Recording, PassesOn) {
    Told log;
    recorder.pass_on_to(&log);
    answer(recorder, &request.get(), request);
    EXPECT_EQ(log.times, 1);
}

TEST_F(Recording, CountsConnectionsAndHandshakes) {
    recorder.accepted(0);
    recorder.accepted(1);
    recorder.accepted(1);
    recorder.handshake("h2");
    recorder.handshake("http/1.1");
    recorder.handshake("");
    const Totals all = totals();
    EXPECT_EQ(all.accepted[0], 1u);
    EXPECT_EQ(all.accepted[1], 2u);
    EXPECT_EQ(all.handshakes[1], 2u);
    EXPECT_EQ(all.handshakes[2], 1u);
}

TEST_F(Recording, KnowsWhichHandlersRun) {
    FunctionHandler handler{[this](const http::Request&) {
        EXPECT_EQ(totals().handlers_running(), 1u);
        return http::Response{};
    }};
    RecordedHandler recorded{handler, recorder};
    recorded.handle(request.get());
    EXPECT_EQ(totals().handlers_running(), 0u);
    EXPECT_EQ(totals().handlers_begun, 1u);
}

TEST_F(Recording, KnowsHowLongTurnsTake) {
    EXPECT_TRUE(totals().loops.empty());
    recorder.turn_began(began);
    EXPECT_EQ(totals().longest_turn(began + 7s), 7s);
    recorder.turn_ended(began + 30ms);
    recorder.turn_ended(began + 31ms);  // nothing has begun
    EXPECT_EQ(totals().longest_turn(began + 7s), 0s);
    const Totals all = totals();
    ASSERT_EQ(all.loops.size(), 1u);
    EXPECT_EQ(all.loops[0].turns.buckets[4], 1u);  // up to 50 ms
    EXPECT_EQ(all.loops[0].turns.sum, 30u);
}

// More threads than slots, at once and one after the other: nothing is lost, nothing counts twice.
TEST_F(Recording, LosesNothingOfThreadsThatComeAndGo) {
    constexpr int threads = 600, rounds = 2, answers = 100;
    static_assert(threads > SlotTable::slots);
    for (int round = 0; round < rounds; ++round) {
        std::latch all_there{threads};
        std::vector<std::jthread> all;
        for (int i = 0; i < threads; ++i)
            all.emplace_back([&] {
                answer(recorder, &request.get(), request);
                all_there.arrive_and_wait();
                for (int times = 1; times < answers; ++times)
                    answer(recorder, &request.get(), request);
            });
    }
    EXPECT_EQ(totals().answers[1][1].duration.values(), threads * rounds * answers);
    EXPECT_EQ(recorder.table().used(), SlotTable::slots);
}

TEST_F(Recording, OfAThreadThatServesAnotherServerNextGoesThere) {
    answer(recorder, &request.get(), request);
    Recorder next;
    answer(next, &request.get(), request);
    EXPECT_EQ(totals().outcomes[0], 1u);
    EXPECT_EQ(Totals{next.table()}.outcomes[0], 1u);
    EXPECT_EQ(recorder.table().owner(0), 0);
}

}  // namespace
}  // namespace weir::server
