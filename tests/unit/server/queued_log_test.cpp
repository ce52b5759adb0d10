#include "weir/server/queued_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/troubles.h"
#include "net/unique_fd.h"
#include "support/gate.h"
#include "support/time_limit.h"

namespace weir::server {
namespace {

using Messages = std::vector<std::pair<Severity, std::string>>;

TEST(QueuedLog, PassesOnInOrderAndAllBeforeItEnds) {
    Messages passed;
    {
        QueuedLog log{[&](Severity severity, std::string_view message) {
            passed.emplace_back(severity, message);
        }};
        log.write(Severity::info, "one");
        log.write(Severity::warning, "two");
        log.write(Severity::error, "three");
    }
    EXPECT_EQ(passed, (Messages{{Severity::info, "one"},
                                {Severity::warning, "two"},
                                {Severity::error, "three"}}));
}

TEST(QueuedLog, NeverWaitsAndSaysLaterWhatWasDropped) {
    const tests::Gate arrived;
    const tests::Gate gate;
    Messages passed;
    const auto lost = troubles().count(Trouble::log_lines);
    {
        QueuedLog log{[&](Severity severity, std::string_view message) {
                          arrived.open();
                          gate.await();
                          passed.emplace_back(severity, message);
                      },
                      2};
        log.write(Severity::info, "held");
        arrived.await();
        for (int i = 0; i < 5; ++i) log.write(Severity::info, "waits or is dropped");
        EXPECT_EQ(troubles().count(Trouble::log_lines), lost + 3);
        gate.open();
    }
    EXPECT_EQ(passed, (Messages{{Severity::info, "held"},
                                {Severity::warning, "3 messages were dropped"},
                                {Severity::info, "waits or is dropped"},
                                {Severity::info, "waits or is dropped"}}));
}

TEST(QueuedLog, GoesOnAfterAnException) {
    std::vector<std::string> passed;
    const auto lost = troubles().count(Trouble::log_lines);
    {
        QueuedLog log{[&](Severity, std::string_view message) {
            if (message == "bad") throw std::runtime_error{"the disk is full"};
            passed.emplace_back(message);
        }};
        log.write(Severity::info, "bad");
        log.write(Severity::info, "good");
    }
    EXPECT_EQ(passed, std::vector<std::string>{"good"});
    EXPECT_EQ(troubles().count(Trouble::log_lines), lost + 1);
}

/// The child of fork(2) has no thread but its own.
TEST(QueuedLog, WorksInAForkedProcess) {
    if (!tests::forks_safely) GTEST_SKIP() << "this process has another thread";
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const net::UniqueFd reader{ends[0]};
    net::UniqueFd writer{ends[1]};
    auto log = std::make_unique<QueuedLog>([&](Severity, std::string_view message) {
        EXPECT_EQ(::write(writer.get(), message.data(), message.size()),
                  static_cast<ssize_t>(message.size()));
    });
    log->write(Severity::info, "parent ");
    std::array<char, 64> bytes{};
    ASSERT_EQ(::read(reader.get(), bytes.data(), bytes.size()), 7);

    const pid_t child = ::fork();
    if (child == 0) {
        log->write(Severity::info, "child");
        log.reset();
        ::_exit(0);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_EQ(::read(reader.get(), bytes.data(), bytes.size()), 5);
    EXPECT_EQ(std::string(bytes.data(), 5), "child");
}

}  // namespace
}  // namespace weir::server
