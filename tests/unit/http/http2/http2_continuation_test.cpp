// Requests of HTTP/2 that go on after their handler has returned.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/budget.h"
#include "http2_driver.h"
#include "unit/http/scripted.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
namespace flag = h2::flag;

struct Http2Continuing : ::testing::Test {
    Script script;
    const Request* request = nullptr;
    Http2Driver peer{[this](const Request& handled) -> Reply {
        if (handled.path() != "/") return text("other");
        request = &handled;
        return Later{std::make_unique<Scripted>(script)};
    }};
};

TEST_F(Http2Continuing, PaysForItsMemory) {
    Budget budget{100'000};
    peer.workspace.memory = &budget;
    peer.connection = std::make_unique<Http2Connection>(peer.workspace, peer, peer.now);
    script.bytes = 50'000;
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.connection->take_ownership(peer.now);
    EXPECT_GE(budget.used(), 50'000U);
    script.bytes = 100'000;
    peer.wake();
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(script.cuts, 1);
    peer.connection.reset();
    EXPECT_EQ(budget.used(), 0U);
}

TEST_F(Http2Continuing, EndsWithThePeerIfItSaysSo) {
    for (const bool ends : {true, false}) {
        for (const bool begins_later : {true, false}) {
            Script own;
            own.ends_with_peer = ends;
            Http2Driver leaving{[&](const Request&) -> Reply {
                if (begins_later) return Later{};  // a pool has it
                return Later{std::make_unique<Scripted>(own)};
            }};
            leaving.receive(h2::hello() + h2::get(1, "/"));
            leaving.receive_end();
            if (begins_later) leaving.respond(1, Later{std::make_unique<Scripted>(own)});
            EXPECT_EQ(own.cuts, ends ? 1 : 0);
            EXPECT_EQ(leaving.step() == Step::close, ends);
        }
    }
}

TEST_F(Http2Continuing, IsResumedAtOnceAndAfterEachWakeUp) {
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/other"));
    EXPECT_EQ(script.resumed, 1);
    EXPECT_EQ(peer.stream(3).content, "other") << "others do not wait";
    peer.wake();
    EXPECT_EQ(script.resumed, 2);
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_EQ(peer.stream(1).content, "done");
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_EQ(script.cuts, 0);
    peer.wake();
    EXPECT_EQ(script.resumed, 3);
}

TEST_F(Http2Continuing, IsResumedWhenItIsDueAndHasTheTimeOfAHandler) {
    script.resume = [this] {
        script.due = peer.now.instant + 1s;
        return Later{};
    };
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.pass(999ms);
    EXPECT_EQ(script.resumed, 1);
    peer.pass(1ms);
    EXPECT_EQ(script.resumed, 2);
    for (int i = 0; i < 58; ++i) peer.pass(1s);
    EXPECT_EQ(script.cuts, 0);
    peer.pass(1s);
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
}

TEST_F(Http2Continuing, IsCutWhenItsStreamIsCanceled) {
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    peer.receive(h2::reset(1, ErrorCode::cancel));
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
    peer.wake(1);
    EXPECT_EQ(script.resumed, 2);
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(script.cuts, 2);
}

TEST_F(Http2Continuing, SendsHintsAheadOfTheAnswer) {
    script.resume = [this]() -> Reply {
        if (script.resumed < 3)
            return EarlyHints{"Link: <" + std::to_string(script.resumed) + ">\r\n"};
        return Later{};
    };
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(script.resumed, 3);
    EXPECT_EQ(peer.stream(1).interim, 2);
    EXPECT_EQ(peer.stream(1).interim_fields, (h2::Fields{{":status", "103"}, {"link", "<2>"}}));
    EXPECT_EQ(peer.stream(1).status(), 0);
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_EQ(peer.stream(1).content, "done");
    EXPECT_EQ(peer.stream(1).status(), 200);
}

TEST_F(Http2Continuing, ThatThrowsIsA500) {
    script.resume = []() -> Reply { throw std::runtime_error{"no"}; };
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.seen.at(0).status, Status::internal_server_error);
}

TEST_F(Http2Continuing, MayMakeTheResponseToARefusal) {
    script.refused = [&](Status status) -> std::optional<Response> {
        EXPECT_EQ(script.cuts, 0);
        EXPECT_EQ(status, Status::service_unavailable);
        return Response{Status::bad_gateway};
    };
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.pass(std::chrono::hours{1});
    EXPECT_EQ(peer.stream(1).status(), 502);
    EXPECT_EQ(script.cuts, 1);
}

TEST_F(Http2Continuing, AnAnswerFromAnotherThreadEndsIt) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.respond(1, text("else"));
    EXPECT_EQ(peer.stream(1).content, "else");
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_EQ(script.cuts, 0);
}

TEST_F(Http2Continuing, GetsTheContentThatItCollects) {
    script.resume = [this]() -> Reply {
        if (request->content_pending()) return ReadContent{};
        return text(std::string{request->content()});
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "ab"));
    peer.receive(h2::data(1, "cd", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "abcd");
    EXPECT_EQ(peer.handled, 1);
}

TEST_F(Http2Continuing, IsResumedAtEachPauseOfItsSink) {
    bool streams = false;
    script.resume = [&]() -> Reply {
        if (std::exchange(streams, true))
            return request->content_pending() ? Reply{StreamContent{}} : Reply{text("end")};
        return StreamContent{std::make_unique<PausingSink>(script)};
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "a") + h2::data(1, "b"));
    peer.receive(h2::data(1, "c"));
    peer.receive(h2::data(1, "", flag::end_stream));
    std::string all;
    for (const std::string& piece : script.taken) all += piece;
    EXPECT_EQ(all, "abc");
    EXPECT_EQ(peer.stream(1).content, "end");
    EXPECT_EQ(script.sink_cuts, 0);
}

TEST_F(Http2Continuing, HoldsContentUntilItsSinkTakesMore) {
    bool takes = false;
    script.resume = [&]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return takes ? Reply{StreamContent{}} : Reply{Later{}};
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "abc"));
    peer.receive(h2::data(1, "defg"));
    peer.wake();
    EXPECT_EQ(script.taken, (std::vector<std::string>{"abc"}));
    takes = true;
    peer.wake();
    EXPECT_EQ(script.taken, (std::vector<std::string>{"abc", "defg"}));
}

TEST_F(Http2Continuing, MayAnswerBeforeItHasAllContent) {
    script.resume = [&]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return text("enough");
    };
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "abc"));
    EXPECT_EQ(peer.stream(1).content, "enough");
    EXPECT_EQ(script.sink_cuts, 1);
    EXPECT_EQ(script.cuts, 0);
}

/// Gives what `next` says.
struct TimedSource final : Source {
    explicit TimedSource(std::function<Pulled(TimedSource&)> gives) : next{std::move(gives)} {}
    Pulled pull(std::span<char> into) override {
        room = into;
        return next(*this);
    }
    Instant due() const noexcept override { return at; }
    Pulled give(std::string_view bytes) const {
        std::ranges::copy(bytes, room.begin());
        return Ready{bytes.size()};
    }
    std::function<Pulled(TimedSource&)> next;
    std::span<char> room;
    Instant at = never;
};

Http2Driver::Handle gives(std::function<Source::Pulled(TimedSource&)> next) {
    return [next](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<TimedSource>(next));
        return response;
    };
}

TEST(Http2SourceWithTime, IsPulledWhenItIsDue) {
    int pulls = 0;
    Http2Driver* driver = nullptr;
    Http2Driver peer{gives([&](TimedSource& source) -> Source::Pulled {
        if (++pulls == 2) return source.give("tick");
        source.at = driver->now.instant + 3s;
        return Source::NotReady{};
    })};
    driver = &peer;
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(pulls, 1);
    peer.pass(3s);
    EXPECT_EQ(peer.stream(1).content, "tick");
    EXPECT_EQ(pulls, 3);
}

TEST(Http2SourceWithTime, ThatIsDueAlreadyIsPulledOnceAllIsSent) {
    int pulls = 0;
    Http2Driver peer{gives([&](TimedSource& source) -> Source::Pulled {
        source.at = Instant::min();
        if (++pulls == 2) return Source::NotReady{};
        return pulls == 4 ? Source::Pulled{Source::End{}} : source.give("tick");
    })};
    peer.send_max = 0;
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(pulls, 2);
    peer.wake();
    EXPECT_EQ(pulls, 2) << "the kernel has nothing yet";
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(pulls, 4);
    EXPECT_EQ(peer.stream(1).content, "ticktick");
}

}  // namespace
}  // namespace weir::http
