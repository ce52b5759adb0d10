#include "server/guarded_handler.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "support/websocket_frames.h"
#include "unit/server/function_handler.h"
#include "unit/server/parsed_request.h"
#include "unit/server/recording_log.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace weir::server {
namespace {

using http::Reply;
using http::Response;

Reply handled(FunctionHandler::Function function, Log& log) {
    const ParsedRequest request{"GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n"};
    FunctionHandler handler{std::move(function)};
    return GuardedHandler{handler, log}.handle(request.get());
}

TEST(GuardedHandler, PassesAnswersOn) {
    RecordingLog log;
    const Reply reply = handled(
        [](const http::Request& request) { return Response{}.add("X-Target", request.target()); },
        log);
    EXPECT_EQ(std::get<Response>(reply).own_fields(), "X-Target: /a?b\r\n");
    EXPECT_TRUE(std::holds_alternative<http::Later>(
        handled([](const http::Request&) { return http::Later{}; }, log)));
    EXPECT_TRUE(log.messages().empty());
}

TEST(GuardedHandler, TurnsExceptionsInto500) {
    RecordingLog log;
    const auto throws = [](const http::Request&) -> Reply {
        throw std::runtime_error{"no \"luck\"\n"};
    };
    const Reply reply = handled(throws, log);
    EXPECT_EQ(std::get<Response>(reply).status(), http::Status::internal_server_error);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages()[0],
              R"(the handler threw an exception for GET /a?b: no \x22luck\x22\x0a)");
}

TEST(GuardedHandler, SaysWhichStatusCannotBe) {
    for (const int code : {42, 103, 1000}) {
        RecordingLog log;
        const auto answers = [&](const http::Request&) -> Reply {
            return Response{static_cast<http::Status>(code)};
        };
        const Reply reply = handled(answers, log);
        EXPECT_EQ(std::get<Response>(reply).status(), http::Status::internal_server_error);
        ASSERT_EQ(log.messages().size(), 1u);
        EXPECT_EQ(log.messages()[0],
                  "the handler threw an exception for GET /a?b: an answer cannot have the status " +
                      std::to_string(code));
    }
}

TEST(GuardedHandler, KnowsExceptionsThatAreNoStandardOnes) {
    RecordingLog log;
    const Reply reply = handled([](const http::Request&) -> Reply { throw 1; }, log);
    EXPECT_EQ(std::get<Response>(reply).status(), http::Status::internal_server_error);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_TRUE(log.messages()[0].ends_with("an exception of unknown type"));
}

struct ThrowingSource final : http::Source {
    Pulled pull(std::span<char> into) override {
        if (pulled) throw std::runtime_error{"dry"};
        pulled = true;
        into[0] = 'x';
        return Ready{1};
    }
    std::optional<std::uint64_t> size() const override { return 7; }
    void done(http::Outcome outcome) noexcept override { *ended = outcome; }

    explicit ThrowingSource(std::optional<http::Outcome>* ending) : ended{ending} {}
    bool pulled = false;
    std::optional<http::Outcome>* ended;
};

TEST(GuardedHandler, FailsASourceThatThrows) {
    RecordingLog log;
    std::optional<http::Outcome> ended;
    Reply reply = handled(
        [&](const http::Request&) {
            Response response;
            response.content(std::make_unique<ThrowingSource>(&ended));
            return response;
        },
        log);
    auto& source = std::get<std::unique_ptr<http::Source>>(std::get<Response>(reply).content());
    EXPECT_EQ(source->size(), 7u);
    std::array<char, 4> into;
    EXPECT_TRUE(std::holds_alternative<http::Source::Ready>(source->pull(into)));
    EXPECT_TRUE(log.messages().empty());
    EXPECT_TRUE(std::holds_alternative<http::Source::Failed>(source->pull(into)));
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages()[0], "a source threw an exception for GET /a?b: dry");
    source->done(http::Outcome::source_failed);
    EXPECT_EQ(ended, http::Outcome::source_failed);
}

struct ThrowingSink final : http::Sink {
    Taken take(std::string_view bytes) override {
        if (bytes == "bad") throw std::runtime_error{"full"};
        return Taken::paused;
    }
    void cut() noexcept override { *was_cut = true; }

    explicit ThrowingSink(bool* cut) : was_cut{cut} {}
    bool* was_cut;
};

TEST(GuardedHandler, FailsASinkThatThrows) {
    RecordingLog log;
    bool was_cut = false;
    Reply reply = handled(
        [&](const http::Request&) {
            return http::StreamContent{std::make_unique<ThrowingSink>(&was_cut)};
        },
        log);
    auto& sink = std::get<http::StreamContent>(reply).sink;
    EXPECT_EQ(sink->take("good"), http::Sink::Taken::paused);
    EXPECT_EQ(sink->take("bad"), http::Sink::Taken::failed);
    sink->cut();
    EXPECT_TRUE(was_cut);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages()[0], "a sink threw an exception for GET /a?b: full");
}

TEST(GuardedHandler, LetsATunnelThatThrowsHaveALastWord) {
    namespace frames = tests::websocket;
    RecordingLog log;
    web::Router router;
    router.get("/", web::websocket([](web::WebSocket socket) -> web::Task<> {
                   co_await socket.receive();
                   throw std::runtime_error{"dry"};
               }));
    GuardedHandler guarded{router, log};
    web::Probe probe{guarded};
    auto exchange = probe.open("GET", "/", frames::opening());
    exchange.send(frames::text("x"));
    EXPECT_EQ(frames::shown(exchange.answer().content), "close:1011");
    exchange.send(frames::close(1011));
    EXPECT_TRUE(exchange.answer().is_complete);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages()[0], "a tunnel threw an exception for GET /: dry");
}

}  // namespace
}  // namespace weir::server
