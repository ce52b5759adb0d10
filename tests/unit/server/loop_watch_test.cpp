#include "server/loop_watch.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "weir/http/response.h"

namespace weir::server {
namespace {

/// A loop that keeps its completion until it turns.
class FakeLoop final : public http::Postbox {
   public:
    void answer(http::Ticket /*ticket*/, http::Response&& response) override {
        ++questions_;
        kept_ = std::move(response);
    }
    void wake(http::Ticket /*ticket*/) override {}

    void turn() { kept_.reset(); }
    int questions() const { return questions_; }

   private:
    std::optional<http::Response> kept_;
    int questions_ = 0;
};

TEST(LoopWatch, WithoutLoopsHasNothingToAsk) { EXPECT_TRUE(LoopWatch{}.ask()); }

TEST(LoopWatch, ALoopThatTurnsAnswers) {
    LoopWatch watch;
    const auto loop = std::make_shared<FakeLoop>();
    watch.add(loop);
    EXPECT_TRUE(watch.ask());
    loop->turn();
    EXPECT_TRUE(watch.ask());
    EXPECT_EQ(loop->questions(), 2);
}

TEST(LoopWatch, OneLoopThatHangsIsNoticed) {
    LoopWatch watch;
    const auto turns = std::make_shared<FakeLoop>();
    const auto hangs = std::make_shared<FakeLoop>();
    watch.add(turns);
    watch.add(hangs);
    EXPECT_TRUE(watch.ask());
    turns->turn();
    EXPECT_FALSE(watch.ask());
    turns->turn();
    EXPECT_FALSE(watch.ask());
    EXPECT_EQ(hangs->questions(), 1);  // no second question before the first answer
    turns->turn();
    hangs->turn();
    EXPECT_TRUE(watch.ask());
}

TEST(LoopWatch, ALoopThatHasEndedIsNotMissed) {
    LoopWatch watch;
    auto loop = std::make_shared<FakeLoop>();
    watch.add(loop);
    EXPECT_TRUE(watch.ask());
    loop.reset();
    EXPECT_TRUE(watch.ask());
}

}  // namespace
}  // namespace weir::server
