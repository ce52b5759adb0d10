// The multiplexing test protocol: answers, side by side.

#include <algorithm>

#include "multiplex_driver.h"
#include "support/temporary_file.h"

namespace weir::tests::multiplex {
namespace {

using http::Step;

/// What each pull gives, one after the other; then the end.
struct ScriptedSource final : http::Source {
    ScriptedSource(std::vector<Pulled> replies, std::vector<http::Outcome>& outcomes)
        : script{std::move(replies)}, told{outcomes} {}
    Pulled pull(std::span<char> into) override {
        if (at == script.size()) return End{};
        const Pulled pulled = script[at++];
        if (const auto* ready = std::get_if<Ready>(&pulled))
            std::ranges::copy(pattern(0, ready->size), into.begin());
        return pulled;
    }
    void done(http::Outcome outcome) noexcept override { told.push_back(outcome); }

    std::vector<Pulled> script;
    std::size_t at = 0;
    std::vector<http::Outcome>& told;
};

struct MultiplexAnswers : ::testing::Test {
    std::vector<http::Outcome> told;
    TemporaryFile file;

    http::Reply reply(const http::Request& request) {
        http::Response response;
        if (request.path() == "/view") response.content_view(pattern_text().substr(0, 100'000));
        if (request.path() == "/own") response.content(pattern(0, 100'000));
        if (request.path() == "/file") response.content(http::FileRange{file.fd(), 0, 100'000});
        if (request.path() == "/gated")
            response.content(
                source({http::Source::Ready{5}, http::Source::NotReady{}, http::Source::Ready{7}}));
        if (request.path() == "/parts")
            response.content(
                source({http::Source::Ready{5}, http::Source::File{{file.fd(), 10, 20'000}},
                        http::Source::Ready{7}}));
        if (request.path() == "/broken")
            response.content(source({http::Source::Ready{5}, http::Source::Failed{}}));
        return response;
    }
    std::unique_ptr<http::Source> source(std::vector<http::Source::Pulled> script) {
        return std::make_unique<ScriptedSource>(std::move(script), told);
    }
    Driver driver{[this](const http::Request& request) { return reply(request); }};

    void SetUp() override { file.write(pattern(0, 100'000)); }
};

TEST_F(MultiplexAnswers, OfEveryKindAreWhole) {
    for (const std::size_t send_max : {7UZ, 1000UZ, 100'000UZ, ~0UZ}) {
        driver.send_max = send_max;
        const auto first = driver.peer.last_stream();
        for (const auto* target : {"/view", "/own", "/file"}) driver.request(target);
        for (const std::uint32_t i : {1, 2, 3})
            EXPECT_EQ(driver.stream(first + i).content, pattern(0, 100'000)) << i;
        const auto parts = driver.request("/parts");
        EXPECT_EQ(driver.stream(parts).content,
                  pattern(0, 5) + pattern(10, 20'000) + pattern(0, 7));
        const auto none = driver.request("/none");
        EXPECT_TRUE(driver.stream(none).is_whole);
    }
    EXPECT_EQ(told, std::vector(4, http::Outcome::sent));
}

TEST_F(MultiplexAnswers, TakeTurns) {
    driver.takes_output = false;
    driver.request("/own");
    driver.request("/view");
    driver.request("/file");
    driver.send_max = 1000;
    driver.takes_output = true;
    driver.drive();
    // None is over before all have had most of theirs.
    EXPECT_EQ(driver.peer.over().size(), 3u);
    EXPECT_EQ(driver.stream(2).content, pattern(0, 100'000));
}

TEST_F(MultiplexAnswers, SmallOneOvertakesALargeOne) {
    driver.send_max = 1000;
    driver.takes_output = false;
    driver.request("/own");
    driver.request("/none");
    driver.takes_output = true;
    driver.drive();
    EXPECT_EQ(driver.peer.over(), (std::vector<std::uint32_t>{2, 1}));
}

TEST_F(MultiplexAnswers, StopAtTheirWindowAndGoOnWithIt) {
    driver.grants = false;
    driver.request("/own");
    EXPECT_EQ(driver.stream(1).content.size(), first_stream_window);
    EXPECT_EQ(driver.step(), Step::receive);
    driver.receive(driver.peer.grant(1, 10));
    EXPECT_EQ(driver.stream(1).content.size(), first_stream_window + 10);
    driver.receive(driver.peer.grant(1, 1'000'000));
    EXPECT_EQ(driver.stream(1).content, pattern(0, 100'000));
}

TEST_F(MultiplexAnswers, StopAtTheWindowOfAllAndGoOnWithIt) {
    driver.grants = false;
    for (std::uint32_t i = 1; i <= 11; ++i)
        driver.receive(all({driver.peer.request("/own"), driver.peer.grant(i, 1'000'000)}));
    EXPECT_EQ(driver.peer.over().size(), 10u);
    EXPECT_EQ(driver.step(), Step::receive);
    driver.receive(driver.peer.grant(0, 1'000'000));
    EXPECT_EQ(driver.peer.over().size(), 11u);
}

TEST_F(MultiplexAnswers, SourceThatPausesHoldsUpItsOwnStreamAlone) {
    driver.request("/gated");
    EXPECT_EQ(driver.stream(1).content, pattern(0, 5));
    driver.request("/own");
    EXPECT_TRUE(driver.stream(2).is_whole);
    EXPECT_EQ(driver.step(), Step::receive);
    driver.wake({.connection = 1, .request = 1});
    EXPECT_EQ(driver.stream(1).content, pattern(0, 5) + pattern(0, 7));
    EXPECT_EQ(told, std::vector{http::Outcome::sent});
}

TEST_F(MultiplexAnswers, SourceThatFailsEndsItsOwnStreamAlone) {
    driver.request("/broken");
    EXPECT_EQ(driver.stream(1).refused, "source failed");
    EXPECT_EQ(told, std::vector{http::Outcome::source_failed});
    driver.request("/own");
    EXPECT_TRUE(driver.stream(2).is_whole);
}

TEST_F(MultiplexAnswers, CanceledInTheMiddleLeaveTheOthersWhole) {
    driver.grants = false;
    driver.request("/gated");
    driver.request("/own");
    driver.takes_output = false;
    driver.request("/view");
    driver.receive(all({driver.peer.cancel(1), driver.peer.cancel(3)}));
    driver.takes_output = true;
    driver.receive(driver.peer.grant(2, 1'000'000));
    EXPECT_TRUE(driver.stream(2).is_whole);
    EXPECT_FALSE(driver.stream(1).is_over());
    EXPECT_FALSE(driver.stream(3).is_over());
    EXPECT_EQ(told, std::vector{http::Outcome::peer_gone});
}

TEST_F(MultiplexAnswers, LateRepliesAreDroppedAndTheirSourcesTold) {
    Driver of_later{later};
    of_later.request("/");
    of_later.receive(of_later.peer.cancel(1));
    http::Response response;
    response.content(source({}));
    of_later.respond(1, std::move(response));
    EXPECT_EQ(told, std::vector{http::Outcome::peer_gone});
    EXPECT_EQ(of_later.stream(1).status, 0);
    of_later.respond(1, text("twice"));
    of_later.respond(99, text("to nobody"));
    EXPECT_EQ(of_later.step(), Step::receive);
}

TEST_F(MultiplexAnswers, BytesUnderWayStayWhateverHappens) {
    driver.takes_output = false;
    driver.request("/own");  // drive() checks the bytes after each of these
    driver.request("/view");
    driver.request("/gated");
    driver.wake({.connection = 1, .request = 3});
    driver.receive(driver.peer.cancel(1));
    driver.pass(driver.timeouts.handler / 4);
    driver.connection->retire(driver.now);
    driver.drive();
    driver.connection->fail(http::Outcome::peer_gone, driver.now);
    driver.drive();
    EXPECT_EQ(driver.step(), Step::close);
}

}  // namespace
}  // namespace weir::tests::multiplex
