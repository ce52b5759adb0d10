// Each allocation in the life of a connection that fails: the connection ends, with a 503 or without
// an answer, and nothing else does. And what a budget for all connections does to them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/troubles.h"
#include "faults/connection_life.h"
#include "faults/failing_new.h"

namespace weir::http {
namespace {

constexpr std::string_view static_503 =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

struct ConnectionMemory : ::testing::Test {
    ConnectionMemory() { FailingNew::spare_this_thread(); }
    ~ConnectionMemory() override { FailingNew::clear(); }

    Limits limits;
    Timeouts timeouts;
};

/// Whole, or the beginning of what it would have been, and the static 503 behind whole answers.
void expect_no_wrong_byte(std::string_view sent, std::string_view whole) {
    if (sent.ends_with(static_503)) sent.remove_suffix(static_503.size());
    EXPECT_TRUE(whole.starts_with(sent)) << "was sent:\n" << sent;
}

TEST_F(ConnectionMemory, AllocationThatFailsEndsNothingButTheConnection) {
    int excused = 0;
    for (const Script& script : scripts()) {
        Told undisturbed;
        Workspace other{limits, timeouts};
        Life model{other, script, undisturbed};
        model.run();
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE(std::string{script.name} + ", allocation " + std::to_string(nth));
            Told told;
            ActiveRequests active;
            Workspace workspace{limits, timeouts, &active};
            std::string sent;
            {
                Life life{workspace, script, told};
                FailingNew::fail(nth);
                life.run();
                FailingNew::clear();
                sent = life.sent;
                if (FailingNew::failed() != 0) {
                    EXPECT_EQ(life.step(), Step::close);
                }
            }
            expect_no_wrong_byte(sent, model.sent);
            EXPECT_EQ(told.told, told.made);
            EXPECT_EQ(active.count, 0);
            if (sent.ends_with(static_503)) ++excused;
            // The next connection of the thread gets its answer, and nothing of this one's.
            Life next{workspace, scripts().front(), told};
            next.run();
            EXPECT_EQ(next.sent.find("HTTP/1.1 200 OK"), 0u);
            EXPECT_TRUE(next.sent.ends_with("\r\n\r\nsmall"));
            if (FailingNew::failed() == 0) {
                EXPECT_EQ(sent, model.sent);
                break;
            }
        }
    }
    EXPECT_GT(excused, 20);
}

TEST_F(ConnectionMemory, WhileThereIsNoneEachConnectionEnds) {
    for (const Script& script : scripts()) {
        for (const int nth : {1, 2, 3, 5, 8}) {
            SCOPED_TRACE(std::string{script.name} + ", from allocation " + std::to_string(nth));
            Told told;
            ActiveRequests active;
            Workspace workspace{limits, timeouts, &active};
            {
                Life life{workspace, script, told};
                FailingNew::fail(nth, 1'000'000);
                life.run();
                if (FailingNew::failed() != 0) {
                    EXPECT_EQ(life.step(), Step::close);
                }
            }
            FailingNew::clear();
            EXPECT_EQ(told.told, told.made);
            EXPECT_EQ(active.count, 0);
        }
    }
}

TEST_F(ConnectionMemory, IsNotedForTheOperator) {
    const auto before = troubles().count(Trouble::memory);
    Told told;
    Workspace workspace{limits, timeouts};
    Life life{workspace, scripts()[1], told};
    FailingNew::fail(1);
    life.run();
    EXPECT_EQ(life.sent, static_503);
    EXPECT_EQ(troubles().count(Trouble::memory), before + 1);
}

TEST_F(ConnectionMemory, OfAllConnectionsIsBounded) {
    Budget budget{40'000};
    Told told;
    Workspace workspace{limits, timeouts};
    workspace.memory = &budget;
    const Script unfinished{"unfinished",
                            {get("/small") + "GET / HTTP/1.1\r\nX-A: " + std::string(7'000, 'a')}};
    std::vector<std::unique_ptr<Life>> lives;
    for (int i = 0; i < 8; ++i) {
        lives.push_back(std::make_unique<Life>(workspace, unfinished, told));
        lives.back()->stays = true;
        lives.back()->settles_first = true;
        lives.back()->run();
        EXPECT_LE(budget.used(), budget.limit());
    }
    // The first ones have their heads kept; the last ones are told to come again.
    EXPECT_EQ(lives.front()->step(), Step::receive);
    EXPECT_TRUE(lives.back()->sent.ends_with(static_503));
    EXPECT_GT(budget.used(), 4 * 7'000u);
    // A request that needs no memory is still served.
    Life small{workspace, scripts().front(), told};
    small.settles = false;
    small.run();
    EXPECT_TRUE(small.sent.ends_with("\r\n\r\nsmall"));
    lives.clear();
    EXPECT_EQ(budget.used(), 0u);
}

TEST_F(ConnectionMemory, OfContentAndAnswersCounts) {
    Told told;
    for (const Script& script : scripts()) {
        SCOPED_TRACE(script.name);
        Budget budget{2'000};
        Workspace workspace{limits, timeouts};
        workspace.memory = &budget;
        {
            Life life{workspace, script, told};
            life.run();
            EXPECT_LE(budget.used(), budget.limit());
            const bool needs_more = script.name == "content" || script.name == "long head";
            if (needs_more) {
                EXPECT_TRUE(life.sent.ends_with(static_503));
            }
            if (script.name == "small") {
                EXPECT_EQ(budget.used(), 0u);
            }
        }
        EXPECT_EQ(budget.used(), 0u);
    }
}

TEST_F(ConnectionMemory, WithEnoughForAllNothingChanges) {
    Told told;
    for (const Script& script : scripts()) {
        SCOPED_TRACE(script.name);
        Workspace unbound{limits, timeouts};
        Life model{unbound, script, told};
        model.run();
        Budget budget{1'000'000};
        Workspace workspace{limits, timeouts};
        workspace.memory = &budget;
        Life life{workspace, script, told};
        life.run();
        EXPECT_EQ(life.sent, model.sent);
    }
}

TEST_F(ConnectionMemory, OfAConnectionThatIsToldToComeAgainIsGivenBack) {
    Budget budget{12'000};
    Told told;
    Workspace workspace{limits, timeouts};
    workspace.memory = &budget;
    const std::string field = "X-A: " + std::string(7'000, 'a') + "\r\n";
    const Script grows{"grows", {"GET / HTTP/1.1\r\n" + field, field}};
    Life life{workspace, grows, told};
    life.stays = true;
    life.run();
    EXPECT_EQ(life.sent, static_503);
    EXPECT_EQ(life.step(), Step::drain);
    EXPECT_LT(budget.used(), 2'000u);
}

/// Engines may receive more than once before they settle.
TEST_F(ConnectionMemory, OfAnUnfinishedHeadCountsAtOnce) {
    Budget budget{40'000};
    Told told;
    Workspace workspace{limits, timeouts};
    workspace.memory = &budget;
    Life origin{workspace, scripts().front(), told};
    const Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Http1Connection connection{workspace, origin, now};
    connection.receive("GET / HTTP/1.1\r\nX-A: " + std::string(7'000, 'a'), now);
    EXPECT_GE(budget.used(), 7'000u);
}

}  // namespace
}  // namespace weir::http
