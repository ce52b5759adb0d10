#include "weir/logs/spdlog.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>

namespace weir::logs {
namespace {

using server::Severity;

struct Spdlog : testing::Test {
    Spdlog() { logger->set_pattern("%l %n: %v"); }

    std::ostringstream written;
    std::shared_ptr<spdlog::logger> logger = std::make_shared<spdlog::logger>(
        "weir", std::make_shared<spdlog::sinks::ostream_sink_mt>(written));
    std::unique_ptr<server::Log> log = to_spdlog(logger);
};

TEST_F(Spdlog, GetsEachMessageWithItsLevel) {
    log->write(Severity::info, "one {} %s");
    log->write(Severity::warning, "two");
    log->write(Severity::error, "three");
    log.reset();  // all has been passed on
    EXPECT_EQ(written.str(), "info weir: one {} %s\nwarning weir: two\nerror weir: three\n");
}

}  // namespace
}  // namespace weir::logs
