#include "weir/server/own_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "support/plain_upstream.h"
#include "support/time_limit.h"
#include "unit/http/throwing.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "weir/client/client.h"
#include "weir/web/router.h"

namespace weir::server {
namespace {

using http::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A loop with one connection, and its peer in memory.
struct Driven final : http::Origin {
    explicit Driven(OwnLoop& of) : loop{of} {}

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return loop.postbox(); }
    std::uint64_t number() const noexcept override { return 7; }

    void send(std::string_view bytes) {
        connection->receive(bytes, OwnLoop::now());
        drive();
    }
    void drive() {
        for (;;) {
            if (connection->step() == Step::handle) {
                loop.handle(*connection);
            } else if (http::sends(connection->step())) {
                const auto what = connection->transmit();
                for (const auto part : what.parts) received += part;
                connection->transmitted(what.part_bytes(), OwnLoop::now());
            } else if (!connection->take_ownership(OwnLoop::now())) {
                return;
            }
        }
    }
    std::string take() { return std::exchange(received, {}); }

    OwnLoop& loop;
    std::string received;
    std::unique_ptr<http::Connection> connection = loop.connect(*this);
};

bool has_mail(const OwnLoop& loop, int milliseconds) {
    pollfd waited{loop.mail_fd(), POLLIN, 0};
    return ::poll(&waited, 1, milliseconds) == 1;
}

http::Reply hello(const http::Request& request) {
    http::Response response;
    response.content("hello " + std::string{request.path()});
    return response;
}

constexpr std::string_view request = "GET /there HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(OwnLoop, AnswersAndKeepsTheConnection) {
    FunctionHandler handler{hello};
    OwnLoop loop{handler};
    Driven driven{loop};
    for (int i = 0; i < 2; ++i) {
        driven.send(request);
        EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 200 OK\r\nDate: "));
        EXPECT_EQ(driven.connection->step(), Step::receive);
    }
}

TEST(OwnLoop, KeepsItsLimits) {
    FunctionHandler handler{hello};
    OwnLoop loop{handler, {.limits = {.request_line_bytes_max = 16}}};
    Driven driven{loop};
    driven.send("GET /a/long/long/path HTTP/1.1\r\n");
    EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 414 "));
}

TEST(OwnLoop, AnswersForAHandlerThatThrows) {
    RecordingLog log;
    FunctionHandler handler{
        [](const http::Request&) -> http::Reply { throw std::runtime_error{"no luck"}; }};
    OwnLoop loop{handler, {}, log};
    Driven driven{loop};
    driven.send(request);
    EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("GET /there: no luck")));
}

TEST(OwnLoop, LogsWhatThrowsLater) {
    RecordingLog log;
    FunctionHandler handler{[](const http::Request&) -> http::Reply {
        return http::Later{std::make_unique<http::ThrowingContinuation>()};
    }};
    OwnLoop loop{handler, {}, log};
    Driven driven{loop};
    driven.send(request);
    EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("GET /there: lost")));
}

TEST(OwnLoop, BringsAnswersOfOtherThreads) {
    std::optional<http::Deferred> deferred;
    FunctionHandler handler{[&](const http::Request& asked) -> http::Reply {
        deferred.emplace(asked.defer());
        return http::Later{};
    }};
    OwnLoop loop{handler};
    Driven driven{loop};
    driven.send(request);
    EXPECT_EQ(driven.connection->step(), Step::receive);
    EXPECT_FALSE(has_mail(loop, 0));

    std::thread{[&] {
        http::Response response;
        response.content(std::string{"later"});
        deferred->respond(std::move(response));
    }}.join();
    ASSERT_TRUE(has_mail(loop, static_cast<int>(tests::time_limit.count())));
    auto mail = loop.collect();
    ASSERT_EQ(mail.size(), 1U);
    EXPECT_EQ(mail[0].connection(), 7U);
    mail[0].deliver(*driven.connection);
    driven.drive();
    EXPECT_THAT(driven.take(), HasSubstr("\r\n\r\nlater"));
    EXPECT_FALSE(has_mail(loop, 0));
}

TEST(OwnLoop, DropsAnswersThatComeAfterItsEnd) {
    std::optional<http::Deferred> deferred;
    FunctionHandler handler{[&](const http::Request& asked) -> http::Reply {
        deferred.emplace(asked.defer());
        return http::Later{};
    }};
    {
        OwnLoop loop{handler};
        Driven driven{loop};
        driven.send(request);
    }
    const auto kept = std::make_shared<int>(7);
    http::Response response;
    response.retain(kept);
    deferred->respond(std::move(response));
    EXPECT_EQ(kept.use_count(), 1);
}

TEST(OwnLoop, SpeaksHttp2IfItIsAskedTo) {
    FunctionHandler handler{hello};
    constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    OwnLoop without{handler};
    Driven refused{without};
    refused.send(preface);
    EXPECT_THAT(refused.take(), StartsWith("HTTP/1.1 "));

    OwnLoop with{handler, {.h2c = true}};
    Driven taken{with};
    taken.send(preface);
    EXPECT_THAT(taken.take(), Not(StartsWith("HTTP/1.1 ")));
}

/// The program's loop drives the connections that it has accepted, and no others.
TEST(OwnLoop, OpensNoConnections) {
    const tests::PlainUpstream other;
    web::Client client;
    web::Router router;
    router.get("/there", [&](web::Call) -> web::Task<web::Response> {
        co_await client.get(other.url());
        co_return web::text("");
    });
    OwnLoop loop{router};
    Driven driven{loop};
    driven.send(request);
    while (has_mail(loop, 0))
        for (auto& mail : loop.collect()) mail.deliver(*driven.connection);
    driven.drive();
    EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 502 "));
}

TEST(OwnLoop, KeepsNoMoreMemoryThanItMay) {
    FunctionHandler handler{hello};
    OwnLoop loop{handler, {.memory_max = 1}};
    Driven driven{loop};
    driven.send("GET /there HTTP/1.1\r\nHo");  // to be kept
    EXPECT_THAT(driven.take(), StartsWith("HTTP/1.1 503 "));
}

}  // namespace
}  // namespace weir::server
