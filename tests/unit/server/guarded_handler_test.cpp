#include "server/guarded_handler.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "unit/server/function_handler.h"
#include "unit/server/parsed_request.h"
#include "unit/server/recording_log.h"

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

TEST(GuardedHandler, TurnsMissingMemoryInto503) {
    RecordingLog log;
    const Reply reply = handled([](const http::Request&) -> Reply { throw std::bad_alloc{}; }, log);
    EXPECT_EQ(std::get<Response>(reply).status(), http::Status::service_unavailable);
    EXPECT_TRUE(log.messages().empty());
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

}  // namespace
}  // namespace weir::server
