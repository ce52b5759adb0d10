// Requests that go on after their handler has returned, and sources that name a time.

#include <gtest/gtest.h>

#include "http2_driver.h"
#include "support/scripted.h"

namespace weir::http {
namespace {

namespace flag = h2::flag;
using h2::ErrorCode;
using tests::PausingSink;
using tests::Script;
using tests::Scripted;

Response text(std::string content) {
    Response response;
    response.content(std::move(content));
    return response;
}

struct Http2Continuing : ::testing::Test {
    Script script;
    const Request* request = nullptr;
    Http2Driver peer{[this](const Request& handled) -> Reply {
        if (handled.path() != "/") return hello2(handled);
        request = &handled;
        return Later{std::make_unique<Scripted>(script)};
    }};

    /// As another thread does.
    void wake(RequestId id = 1) {
        peer.postbox_made->wake({1, id});
        peer.deliver();
    }
};

TEST_F(Http2Continuing, IsResumedAtOnceAndAfterEachWakeUp) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(script.resumed, 1);  // a wake-up may have come before it did
    wake();
    EXPECT_EQ(script.resumed, 2);
    script.resume = [] { return text("done"); };
    wake();
    EXPECT_EQ(peer.stream(1).content, "done");
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_EQ(script.cuts, 0);
    wake();  // too late
    EXPECT_EQ(script.resumed, 3);
}

TEST_F(Http2Continuing, OthersAreAnsweredMeanwhile) {
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/hello"));
    EXPECT_EQ(peer.stream(3).content, "hello");
    script.resume = [] { return text("first"); };
    wake();
    EXPECT_EQ(peer.stream(1).content, "first");
}

TEST_F(Http2Continuing, IsResumedWhenItIsDue) {
    script.due = peer.now.instant + 5s;
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.connection->deadline(), script.due);
    peer.pass(4'999ms);
    EXPECT_EQ(script.resumed, 1);
    script.resume = [this] {
        script.due = never;
        return Later{};
    };
    peer.pass(1ms);
    EXPECT_EQ(script.resumed, 2);
}

TEST_F(Http2Continuing, HasTheTimeOfAHandlerHoweverOftenItIsResumed) {
    script.resume = [this] {
        script.due = peer.now.instant + 1s;
        return Later{};
    };
    peer.receive(h2::hello() + h2::get(1, "/"));
    for (auto passed = 0s; passed + 1s < peer.timeouts.handler; ++passed) peer.pass(1s);
    EXPECT_EQ(peer.stream(1).status(), 0);
    peer.pass(1s);
    EXPECT_EQ(peer.stream(1).status(), 503);
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
}

TEST_F(Http2Continuing, IsCutWhenThePeerResetsTheRequest) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.receive(h2::reset(1, ErrorCode::cancel));
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
    wake();
    EXPECT_EQ(script.resumed, 1);
}

TEST_F(Http2Continuing, IsCutWhenTheConnectionEnds) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(script.cuts, 1);
    peer.connection.reset();
    EXPECT_EQ(script.destroyed, 1);
}

TEST_F(Http2Continuing, AnExceptionIsAFailure) {
    script.resume = []() -> Reply { throw std::runtime_error{"no"}; };
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).status(), 500);
}

TEST_F(Http2Continuing, CollectsContentAndIsResumedOnceItIsThere) {
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return ReadContent{};
        return text(std::string{request->content()});
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "ab"));
    EXPECT_EQ(script.resumed, 1);
    peer.receive(h2::data(1, "c", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "abc");
    EXPECT_EQ(peer.handled, 1);
}

TEST_F(Http2Continuing, TakesContentPieceByPiece) {
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return Later{};
    };
    peer.receive(h2::hello() + h2::post(1, "/"));
    peer.receive(h2::data(1, "ab") + h2::data(1, "c"));
    EXPECT_EQ(script.taken, (std::vector<std::string>{"ab"}));
    script.resume = [this]() -> Reply {
        if (request->content_pending()) return StreamContent{};
        return text("taken");
    };
    peer.receive(h2::data(1, "d", flag::end_stream));
    wake();
    EXPECT_EQ(script.taken, (std::vector<std::string>{"ab", "cd"}));
    EXPECT_EQ(peer.stream(1).content, "taken");
    EXPECT_EQ(script.sink_cuts, 0);
}

TEST_F(Http2Continuing, MayAnswerWhileContentIsStillToCome) {
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return text("enough");
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "ab"));
    EXPECT_EQ(peer.stream(1).content, "enough");
    EXPECT_EQ(script.sink_cuts, 1);
    peer.receive(h2::data(1, "more", flag::end_stream) + h2::get(3, "/hello"));
    EXPECT_EQ(peer.stream(3).content, "hello");
}

/// Gives a piece each time that it may, two in all, and names the time of the second.
struct Ticking final : Source {
    Ticking(Instant& next_due, int& times_pulled) : due_at{next_due}, pulled{times_pulled} {}
    Pulled pull(std::span<char> into) override {
        if (++pulled % 2 == 0) return NotReady{};
        if (pulled > 1) due_at = never;
        into[0] = 'x';
        return Ready{1};
    }
    Instant due() const noexcept override { return due_at; }
    Instant& due_at;
    int& pulled;
};

struct Http2Due : ::testing::Test {
    Instant due = never;
    int pulled = 0;
    Http2Driver peer{[this](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<Ticking>(due, pulled));
        return response;
    }};
};

TEST_F(Http2Due, ASourceIsPulledAgainAtItsTime) {
    due = peer.now.instant + 5s;
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, "x");
    peer.pass(4'999ms);
    EXPECT_EQ(pulled, 2);
    peer.pass(1ms);
    EXPECT_EQ(peer.stream(1).content, "xx");
}

TEST_F(Http2Due, ATimeThatHasPassedMeansWhenAllIsSent) {
    due = peer.now.instant;
    peer.send_max = 0;
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.pass(1s);
    EXPECT_EQ(pulled, 2);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(pulled, 4);
    EXPECT_EQ(peer.stream(1).content, "xx");
}

}  // namespace
}  // namespace weir::http
