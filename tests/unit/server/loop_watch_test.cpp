#include "server/loop_watch.h"

#include <gtest/gtest.h>

#include <numeric>
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

TEST(LoopWatch, CountsHowLongAnAnswerTakes) {
    const auto delays = std::make_shared<Histogram>();
    LoopWatch watch{delays};
    const auto loop = std::make_shared<FakeLoop>();
    watch.add(loop);
    const auto count = [&] {
        return std::accumulate(delays->by_duration.begin(), delays->by_duration.end(),
                               std::uint64_t{0});
    };
    watch.ask();
    EXPECT_EQ(count(), 0u);
    loop->turn();
    EXPECT_EQ(count(), 1u);
    watch.ask();
    loop->turn();
    EXPECT_EQ(count(), 2u);
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
