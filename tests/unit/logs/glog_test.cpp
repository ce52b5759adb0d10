#include "weir/logs/glog.h"

#include <glog/logging.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace weir::logs {
namespace {

using server::Severity;

/// Takes what glog writes.
struct Taking final : google::LogSink {
    Taking() { google::AddLogSink(this); }
    ~Taking() override { google::RemoveLogSink(this); }
    void send(google::LogSeverity severity, const char*, const char* file, int,
              const google::LogMessageTime&, const char* message, std::size_t size) override {
        taken.emplace_back(severity, std::string{file} + ": " + std::string{message, size});
    }
    std::vector<std::pair<google::LogSeverity, std::string>> taken;
};

TEST(Glog, GetsEachMessageWithItsSeverity) {
    FLAGS_logtostderr = true;
    google::InitGoogleLogging("glog_test");
    Taking sink;
    auto log = to_glog();
    log->write(Severity::info, "one %s {}");
    log->write(Severity::warning, "two");
    log->write(Severity::error, "three");
    log.reset();  // all has been passed on
    google::ShutdownGoogleLogging();

    ASSERT_EQ(sink.taken.size(), 3U);
    EXPECT_EQ(sink.taken[0], std::pair(google::GLOG_INFO, std::string{"weir: one %s {}"}));
    EXPECT_EQ(sink.taken[1], std::pair(google::GLOG_WARNING, std::string{"weir: two"}));
    EXPECT_EQ(sink.taken[2], std::pair(google::GLOG_ERROR, std::string{"weir: three"}));
}

}  // namespace
}  // namespace weir::logs
