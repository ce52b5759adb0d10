#include "server/log/line/log_envelope.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <utility>

#include "unit/cli/variable.h"

namespace weir::server {
namespace {

using Kind = LogDestination::Kind;

constexpr std::int64_t second = 1'793'579'402;  // 2026-11-02T00:30:02Z

struct LogEnvelopeTest : testing::Test {
    LogEnvelopeTest() { ::tzset(); }
    ~LogEnvelopeTest() override {
        zone.reset();
        ::tzset();
    }

    static std::string line(Kind kind, http::Status status) {
        AccessEntry entry;
        entry.remote = "192.0.2.7";
        entry.method = "GET\n";
        entry.unix_seconds = second;
        entry.status = status;
        const LogEnvelope envelope{kind};
        std::string out;
        envelope.open(out, entry);
        out += "line\n";
        envelope.close(out);
        return out;
    }

    std::optional<cli::Variable> zone{std::in_place, "TZ", "XYZ-2:30"};
    const std::string process = std::to_string(::getpid());
};

TEST_F(LogEnvelopeTest, IsThatOfSyslog) {
    EXPECT_EQ(line(Kind::syslog, http::Status::ok),
              "<30>Nov  2 03:00:02 weir[" + process + "]: line\n");
    EXPECT_EQ(line(Kind::syslog, http::Status::internal_server_error),
              "<27>Nov  2 03:00:02 weir[" + process + "]: line\n");
}

TEST_F(LogEnvelopeTest, IsAListOfFieldsForTheJournal) {
    using namespace std::string_view_literals;
    EXPECT_EQ(line(Kind::journald, http::Status::service_unavailable),
              "PRIORITY=3\0SYSLOG_IDENTIFIER=weir\0WEIR_STATUS=503\0WEIR_REMOTE=192.0.2.7\0"
              "WEIR_METHOD=GET\\x0a\0MESSAGE=line\0\n"sv);
}

TEST_F(LogEnvelopeTest, IsNothingForAFile) {
    EXPECT_EQ(line(Kind::file, http::Status::ok), "line\n");
}

TEST_F(LogEnvelopeTest, IsAWarningAboutTheLogItself) {
    std::string out;
    LogEnvelope{Kind::syslog}.open(out, Severity::warning, second);
    EXPECT_TRUE(out.starts_with("<28>Nov ")) << out;
}

}  // namespace
}  // namespace weir::server
