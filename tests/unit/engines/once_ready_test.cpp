#include "engines/loop/once_ready.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "engines/loop/task.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

using http::Step;

/// The loop of one coroutine, which is resumed as an engine resumes it: where its wait is over.
struct OnceReadyTest : ::testing::Test {
    OnceReadyTest() {
        auto fake = std::make_unique<FakeConnection>();
        connection = fake.get();
        peer.connection = std::move(fake);
    }
    void begin(Step step) {
        connection->step(step);
        task = wait_once();
        task.resume();
    }
    /// Something has happened.
    void look() {
        if (waiting.is_over(peer)) waiting.who.resume();
    }

    // What OnceReady asks of a loop.
    struct Loop {
        OnceReadyTest& test;
        bool has_turn() const { return test.turns_left > 0; }
        bool wait(Peer& /*peer*/, Waiting what) {
            test.waiting = what;
            return test.can_watch;
        }
    };

    Task wait_once() {
        co_await once_ready(loop, peer, [](Loop& of, Peer&) { of.test.log += "acts "; });
        log += "goes on";
    }

    Loop loop{*this};
    int turns_left = 1;
    bool can_watch = true;
    Waiting waiting;
    Peer peer;
    FakeConnection* connection;
    std::string log;
    Task task;
};

TEST_F(OnceReadyTest, ActsAtOnceWhereTheSocketIsReady) {
    peer.readable = true;
    begin(Step::receive);
    EXPECT_EQ(log, "acts goes on");
}

TEST_F(OnceReadyTest, TellsTheLoopWhatItWaitsForAndActsThen) {
    begin(Step::receive);
    EXPECT_EQ(log, "");
    EXPECT_EQ(waiting.step, Step::receive);
    peer.readable = true;
    look();
    EXPECT_EQ(log, "acts goes on");
    EXPECT_TRUE(task.is_done());
}

TEST_F(OnceReadyTest, IsNotResumedForWhatItDoesNotWaitFor) {
    begin(Step::receive);
    peer.writable = true;
    look();
    EXPECT_EQ(log, "");
    peer.writable = false;
    begin(Step::transmit);
    peer.readable = true;
    look();
    EXPECT_EQ(log, "");
    begin(Step::wait);
    peer.writable = true;
    look();
    EXPECT_EQ(log, "");
    peer.broken = true;
    look();
    EXPECT_EQ(log, "acts goes on");
}

TEST_F(OnceReadyTest, EitherEndsAnExchange) {
    for (bool Peer::* const hint : {&Peer::readable, &Peer::writable}) {
        log = "";
        begin(Step::exchange);
        peer.*hint = true;
        look();
        EXPECT_EQ(log, "acts goes on");
        peer.*hint = false;
    }
}

TEST_F(OnceReadyTest, GoesOnWithoutActingWhereTheStepHasChanged) {
    begin(Step::wait);
    connection->step(Step::transmit);
    look();
    EXPECT_EQ(log, "goes on");
}

TEST_F(OnceReadyTest, WaitsForItsNextTurnThoughTheSocketIsReady) {
    turns_left = 0;
    peer.readable = true;
    begin(Step::receive);
    EXPECT_EQ(log, "");
    look();
    EXPECT_EQ(log, "acts goes on");
}

TEST_F(OnceReadyTest, GoesOnAtOnceWhereNothingCanBeWatched) {
    can_watch = false;
    begin(Step::receive);
    EXPECT_TRUE(task.is_done());
}

}  // namespace
}  // namespace weir::engines
