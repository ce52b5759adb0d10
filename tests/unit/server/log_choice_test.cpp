#include "server/log/log_choice.h"

#include <gtest/gtest.h>

#include "unit/server/parsed_request.h"

namespace weir::server {
namespace {

using http::Status;

const AccessLogOptions without_health{.path = "log", .skip = [](const http::Request& request) {
                                          return request.target() == "/healthz";
                                      }};

std::uint32_t weight(LogChoice& choice, std::string_view target, Status status) {
    const ParsedRequest request{"GET " + std::string{target == "*" ? "/" : target} +
                                " HTTP/1.1\r\nHost: a\r\n\r\n"};
    return choice.weight_of({.request = target == "*" ? nullptr : &request.get(),
                             .origin = request,
                             .status = status,
                             .outcome = http::Outcome::sent,
                             .content_bytes = 0,
                             .began = {},
                             .now = {}});
}

TEST(LogChoice, HasEachAnswerByItself) {
    LogChoice choice;
    EXPECT_EQ(weight(choice, "/", Status::ok), 1U);
    EXPECT_EQ(weight(choice, "*", Status::bad_request), 1U);
}

TEST(LogChoice, LeavesOutWhatIsSkippedUnlessItIsAnErrorOfTheServer) {
    LogChoice choice{without_health, nullptr};
    EXPECT_EQ(weight(choice, "/healthz", Status::ok), 0U);
    EXPECT_EQ(weight(choice, "/healthz", Status::not_found), 0U);
    EXPECT_EQ(weight(choice, "/healthz", Status::service_unavailable), 1U);
    EXPECT_EQ(weight(choice, "/", Status::ok), 1U);
    EXPECT_EQ(weight(choice, "*", Status::bad_request), 1U) << "it has no request";
}

TEST(LogChoice, HasOneInSoManyAnswersThatAreNoErrors) {
    LogChoice choice{{.path = "log", .sample = 3}, nullptr};
    const auto next = [&](Status status) { return weight(choice, "/", status); };
    EXPECT_EQ(next(Status::ok), 3U);
    EXPECT_EQ(next(Status::not_modified), 0U);
    EXPECT_EQ(next(Status::not_found), 1U);
    EXPECT_EQ(next(Status::service_unavailable), 1U);
    EXPECT_EQ(next(Status::ok), 0U);
    EXPECT_EQ(next(Status::ok), 3U);
}

TEST(LogChoice, CountsInAllProcessesThatShareTheLog) {
    LogAmongForks forks;
    LogChoice one{{.path = "log", .sample = 2}, &forks};
    LogChoice other{{.path = "log", .sample = 2}, &forks};
    EXPECT_EQ(weight(one, "/", Status::ok), 2U);
    EXPECT_EQ(weight(other, "/", Status::ok), 0U);
    EXPECT_EQ(weight(other, "/", Status::ok), 2U);
}

}  // namespace
}  // namespace weir::server
