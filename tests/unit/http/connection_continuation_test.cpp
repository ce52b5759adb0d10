// Requests that go on after their handler has returned, on the connection's thread.

#include <gtest/gtest.h>

#include "base/budget.h"
#include "connection_driver.h"
#include "scripted.h"

namespace weir::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
std::string post(std::size_t bytes) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n";
}

struct Continuing : ::testing::Test {
    Script script;
    const Request* request = nullptr;
    ConnectionDriver peer{[this](const Request& handled) -> Reply {
        if (handled.path() != "/") return hello(handled);
        request = &handled;
        return Later{std::make_unique<Scripted>(script)};
    }};
};

TEST_F(Continuing, IsResumedAtOnceAndAfterEachWakeUp) {
    peer.receive(get);
    EXPECT_EQ(script.resumed, 1);  // a wake-up may have come before it did
    EXPECT_EQ(peer.step(), Step::receive);
    peer.wake();
    EXPECT_EQ(script.resumed, 2);
    EXPECT_EQ(peer.sent, "");
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_EQ(script.cuts, 0);
    peer.wake();  // too late
    EXPECT_EQ(script.resumed, 3);
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Continuing, PaysForItsMemory) {
    Budget budget{10'000};
    peer.workspace.memory = &budget;
    script.bytes = 5'000;
    peer.receive(get);
    peer.connection->take_ownership(peer.now);
    EXPECT_GE(budget.used(), 5'000U);
    script.bytes = 0;
    peer.connection->take_ownership(peer.now);
    EXPECT_LT(budget.used(), 5'000U);
    script.bytes = 10'000;
    peer.wake();
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_LT(budget.used(), 5'000U);
    peer.connection.reset();  // before the budget
    EXPECT_EQ(budget.used(), 0U);
}

TEST_F(Continuing, SendsHintsAheadOfTheAnswer) {
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    script.resume = [this]() -> Reply {
        if (script.resumed < 3) return EarlyHints{"Link: </a>\r\n"};
        return Later{};
    };
    peer.receive(get);
    EXPECT_EQ(script.resumed, 3);
    EXPECT_EQ(peer.sent, hints + hints);
    EXPECT_EQ(peer.step(), Step::receive);
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_TRUE(peer.sent.starts_with(hints + hints + "HTTP/1.1 200 OK\r\n")) << peer.sent;
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
}

TEST_F(Continuing, PassesOnOtherInterimResponses) {
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return EarlyHints{"X-A: b\r\n", Status{102}};
        if (script.resumed == 2) return EarlyHints{{}, Status{199}};
        return Later{};
    };
    peer.receive(get);
    EXPECT_EQ(peer.sent, "HTTP/1.1 102 Processing\r\nX-A: b\r\n\r\nHTTP/1.1 199 Unknown\r\n\r\n");
}

TEST_F(Continuing, WaitsUntilItsHintsAreSent) {
    peer.send_max = 0;
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return EarlyHints{"Link: </a>\r\n"};
        return text("done");
    };
    peer.receive(get);
    ASSERT_EQ(peer.step(), Step::transmit);
    peer.wake();
    EXPECT_EQ(script.resumed, 1);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
}

TEST_F(Continuing, SendsNoHintsToAnOldClient) {
    script.resume = [this]() -> Reply {
        if (script.resumed < 3) return EarlyHints{"Link: </a>\r\n"};
        return text("done");
    };
    peer.receive("GET / HTTP/1.0\r\n\r\n");
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 200 OK\r\n")) << peer.sent;
}

TEST_F(Continuing, RequestsBehindItWaitForIt) {
    peer.receive(get + "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(peer.handled, 1);
    script.resume = [] { return text("first"); };
    peer.wake();
    EXPECT_TRUE(peer.sent.ends_with("first" + hello_answer)) << peer.sent;
}

TEST_F(Continuing, EarlierAnswersGoFirst) {
    peer.send_max = 0;
    peer.receive("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n" + get);
    ASSERT_EQ(peer.step(), Step::transmit);
    peer.wake(2);
    EXPECT_EQ(script.resumed, 0);
    script.resume = [] { return text("second"); };
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(script.resumed, 1);
    EXPECT_TRUE(peer.sent.starts_with(hello_answer)) << peer.sent;
    EXPECT_TRUE(peer.sent.ends_with("second")) << peer.sent;
}

TEST_F(Continuing, IsResumedWhenItIsDue) {
    script.due = peer.now.instant + seconds{5};
    peer.receive(get);
    EXPECT_EQ(peer.connection->deadline(), script.due);
    peer.pass(milliseconds{4'999});
    EXPECT_EQ(script.resumed, 1);
    script.resume = [this] {
        script.due = never;
        return Later{};
    };
    peer.pass(milliseconds{1});
    EXPECT_EQ(script.resumed, 2);
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Continuing, HasTheTimeOfAHandlerHoweverOftenItIsResumed) {
    script.resume = [this] {
        script.due = peer.now.instant + seconds{1};
        return Later{};
    };
    peer.receive(get);
    for (seconds passed{0}; passed + seconds{1} < peer.timeouts.handler; ++passed)
        peer.pass(seconds{1});
    EXPECT_EQ(peer.sent, "");
    peer.pass(seconds{1});
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
}

TEST_F(Continuing, IsCutWhenThePeerHasGone) {
    peer.receive(get);
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
    peer.wake();
    EXPECT_EQ(script.resumed, 1);
}

TEST_F(Continuing, IsCutWhereTheConnectionIsDestroyed) {
    {
        ConnectionDriver other{
            [this](const Request&) { return Later{std::make_unique<Scripted>(script)}; }};
        other.receive(get);
    }
    EXPECT_EQ(script.cuts, 1);
}

TEST_F(Continuing, ThatThrowsIsA500) {
    script.resume = []() -> Reply { throw std::runtime_error{"no"}; };
    peer.receive(get);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 500 ")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Continuing, MayMakeTheResponseToARefusal) {
    std::vector<Status> refused;
    script.refused = [&](Status status) -> std::optional<Response> {
        EXPECT_EQ(script.cuts, 0);
        refused.push_back(status);
        return Response{Status::bad_gateway}.add("X-Own", "yes");
    };
    peer.receive(get);
    peer.pass(std::chrono::hours{1});
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 502 ")) << peer.sent;
    EXPECT_NE(peer.sent.find("X-Own: yes\r\n"), std::string::npos);
    EXPECT_NE(peer.sent.find("Connection: close\r\n"), std::string::npos);
    EXPECT_EQ(refused, std::vector{Status::service_unavailable});
    EXPECT_EQ(script.cuts, 1);
}

TEST_F(Continuing, ThatThrowsWhenItIsRefusedHasTheUsualResponse) {
    script.refused = [](Status) -> std::optional<Response> { throw std::runtime_error{"no"}; };
    peer.receive(get);
    peer.pass(std::chrono::hours{1});
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    EXPECT_EQ(script.cuts, 1);
}

TEST_F(Continuing, AnAnswerFromAnotherThreadEndsIt) {
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{100'000}}) {
        const int before = script.destroyed;
        peer.receive(get);
        peer.connection->respond(request->id(), text(std::string(bytes, 'x')), peer.now);
        peer.drive();
        EXPECT_EQ(script.destroyed, before + 1);
        EXPECT_EQ(script.cuts, 0);
        EXPECT_EQ(peer.step(), Step::receive);
    }
}

TEST_F(Continuing, GetsTheContentThatItCollects) {
    script.resume = [this]() -> Reply {
        if (request->content_pending()) return ReadContent{};
        return text(std::string{request->content()});
    };
    peer.receive(post(5) + "ab");
    EXPECT_EQ(peer.step(), Step::receive);
    peer.receive("cde" + get);
    EXPECT_EQ(peer.handled, 2) << "the handler is not asked again for the first";
    EXPECT_NE(peer.sent.find("\r\n\r\nabcdeHTTP/1.1"), std::string::npos) << peer.sent;
}

TEST_F(Continuing, IsResumedAtEachPauseOfItsSink) {
    bool streams = false;
    script.resume = [&]() -> Reply {
        if (std::exchange(streams, true))
            return request->content_pending() ? Reply{StreamContent{}} : Reply{text("end")};
        return StreamContent{std::make_unique<PausingSink>(script)};
    };
    peer.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nb");
    EXPECT_EQ(script.taken, (std::vector<std::string>{"a", "b"}));
    peer.receive("c\r\n1\r\nd\r\n0\r\n\r\n");
    EXPECT_EQ(script.taken, (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\nend")) << peer.sent;
    EXPECT_EQ(script.sink_cuts, 0);
}

TEST_F(Continuing, KeepsThePeerWaitingUntilItsSinkTakesMore) {
    bool takes = false;
    script.resume = [&]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return takes ? Reply{StreamContent{}} : Reply{Later{}};
    };
    peer.receive(post(10) + "abc");
    EXPECT_EQ(peer.step(), Step::wait);  // the rest stays in the kernel
    peer.wake();
    EXPECT_EQ(peer.step(), Step::wait);
    takes = true;
    peer.wake();
    EXPECT_EQ(peer.step(), Step::receive);
    peer.receive("defg");
    EXPECT_EQ(script.taken, (std::vector<std::string>{"abc", "defg"}));
}

TEST_F(Continuing, MayAnswerBeforeItHasAllContent) {
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{100'000}}) {
        Script of_this;
        ConnectionDriver other{
            [&](const Request&) { return Later{std::make_unique<Scripted>(of_this)}; }};
        of_this.resume = [&]() -> Reply {
            if (of_this.resumed == 1) return StreamContent{std::make_unique<PausingSink>(of_this)};
            return text(std::string(bytes, 'x'));
        };
        other.receive(post(1000) + "abc");
        EXPECT_TRUE(other.sent.ends_with("xxxx")) << other.sent;
        EXPECT_NE(other.sent.find("Connection: close\r\n"), std::string::npos);
        EXPECT_EQ(of_this.sink_cuts, 1);
        EXPECT_EQ(other.step(), Step::drain);
    }
}

TEST_F(Continuing, IsDueWhileItWaitsForContent) {
    script.due = peer.now.instant + seconds{2};
    script.resume = [this]() -> Reply {
        if (script.resumed == 1) return StreamContent{std::make_unique<PausingSink>(script)};
        return text("too slow");
    };
    peer.receive(post(10));
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(seconds{2});
    EXPECT_TRUE(peer.sent.ends_with("too slow")) << peer.sent;
}

TEST_F(Continuing, IsCutWithItsSinkWhereTheContentEndsEarly) {
    script.resume = [this]() -> Reply {
        return StreamContent{script.resumed == 1 ? std::make_unique<PausingSink>(script) : nullptr};
    };
    peer.receive(post(10) + "abc");
    peer.receive_end();
    EXPECT_EQ(script.sink_cuts, 1);
    EXPECT_EQ(script.cuts, 1);
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

TEST(SourceWithTime, IsPulledWhenItIsDue) {
    int pulls = 0;
    ConnectionDriver* driver = nullptr;
    ConnectionDriver peer{[&](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<TimedSource>([&](TimedSource& source) -> Source::Pulled {
            if (++pulls == 2) return source.give("tick");
            source.at = driver->now.instant + seconds{3};
            return Source::NotReady{};
        }));
        return response;
    }};
    driver = &peer;
    peer.receive(get);
    EXPECT_EQ(pulls, 1);
    peer.pass(seconds{3});
    EXPECT_TRUE(peer.sent.ends_with("0004\r\ntick\r\n")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(SourceWithTime, ThatIsDueAlreadyIsPulledOnceAllIsSent) {
    int pulls = 0;
    ConnectionDriver peer{[&](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<TimedSource>([&](TimedSource& source) -> Source::Pulled {
            source.at = Instant::min();
            if (++pulls == 2) return Source::NotReady{};
            return pulls == 4 ? Source::Pulled{Source::End{}} : source.give("tick");
        }));
        return response;
    }};
    peer.send_max = 0;
    peer.receive(get);
    EXPECT_EQ(pulls, 2);
    peer.pass(seconds{1});
    EXPECT_EQ(pulls, 2) << "the peer has taken nothing yet";
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(pulls, 4);
    EXPECT_TRUE(peer.sent.ends_with("0004\r\ntick\r\n0004\r\ntick\r\n0\r\n\r\n")) << peer.sent;
}

TEST(SourceWithTime, ThatIsDueAlreadyIsPulledAtOnceWhereNothingIsToBeSent) {
    int pulls = 0;
    ConnectionDriver peer{[&](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<TimedSource>([&](TimedSource& source) -> Source::Pulled {
            source.at = Instant::min();
            if (++pulls == 1)
                return Source::Ready{source.room.size()};  // as much as is sent at once
            return pulls == 2 ? Source::Pulled{Source::NotReady{}} : Source::Pulled{Source::End{}};
        }));
        return response;
    }};
    peer.receive(get);
    EXPECT_EQ(pulls, 3);
    EXPECT_TRUE(peer.sent.ends_with("0\r\n\r\n"));
}

}  // namespace
}  // namespace weir::http
