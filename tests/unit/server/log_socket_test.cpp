#include "server/log/target/log_socket.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "unit/server/datagram_daemon.h"
#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

using Kind = LogDestination::Kind;

const std::atomic<bool> goes_on{false};
const std::atomic<bool> stopping{true};

struct ToADaemon : testing::Test {
    LogSocket open() const {
        const auto shared = LogSocket::open(to);
        EXPECT_TRUE(shared.has_value());
        return LogSocket{to, "the log", shared->get()};
    }
    /// Writes until the daemon takes nothing more. Returns the number of lines that it took.
    static int fill(LogSocket& log) {
        log.wait_for_nobody();
        int lines = 0;
        while (log.write("line\n", goes_on).size > 0) ++lines;
        return lines;
    }

    const TemporaryDirectory directory;
    const LogDestination to{.kind = Kind::syslog, .path = directory / "log"};
    std::optional<DatagramDaemon> daemon{to.path};
};

using LogSocketTest = ToADaemon;

TEST_F(LogSocketTest, SendsEachLineAsADatagram) {
    auto log = open();
    EXPECT_EQ(log.write({"one\ntwo\0three\0\n", 15}, goes_on).size, 15U);
    EXPECT_EQ(daemon->next(), "one");
    EXPECT_EQ(daemon->next(), "two\nthree\n");
    EXPECT_EQ(daemon->next_at_once(), "");
}

TEST_F(LogSocketTest, FindsADaemonThatWasRestarted) {
    auto log = open();
    daemon.reset();
    EXPECT_EQ(log.write("lost\n", goes_on).error, std::errc::no_such_file_or_directory);
    daemon.emplace(to.path);
    EXPECT_EQ(log.write("found\n", goes_on).size, 6U);
    EXPECT_EQ(daemon->next(), "found");
}

TEST_F(LogSocketTest, DropsLinesForADaemonThatDoesNotRead) {
    auto log = open();
    const int lines = fill(log);
    EXPECT_GT(lines, 0);
    const auto written = log.write("more\n", goes_on);
    EXPECT_EQ(written.size, 0U);
    EXPECT_FALSE(written.error) << "a reader that is slow is no error";
    for (int line = 0; line < lines; ++line) EXPECT_EQ(daemon->next_at_once(), "line");
    EXPECT_EQ(log.write("after\n", goes_on).size, 6U);
}

TEST_F(LogSocketTest, WaitsForADaemonThatReads) {
    auto full = open();
    const int lines = fill(full);
    auto log = open();
    std::jthread writer{[&] { EXPECT_EQ(log.write("more\nlast\n", goes_on).size, 10U); }};
    for (int line = 0; line < lines; ++line) EXPECT_EQ(daemon->next(), "line");
    EXPECT_EQ(daemon->next(), "more");
    EXPECT_EQ(daemon->next(), "last");
}

TEST_F(LogSocketTest, GivesUpAtAStop) {
    auto full = open();
    fill(full);
    auto log = open();
    EXPECT_EQ(log.write("more\n", stopping).size, 0U);
}

TEST_F(LogSocketTest, CutsALineThatNoDaemonTakes) {
    auto log = open();
    EXPECT_EQ(log.write(std::string(std::size_t{1} << 20U, 'a') + "\n", goes_on).error,
              std::error_code{});
    EXPECT_EQ(daemon->next().size(), std::size_t{48} << 10U);
}

TEST_F(LogSocketTest, NeedsADaemonAtTheStart) {
    daemon.reset();
    EXPECT_EQ(LogSocket::open(to).error(), std::errc::no_such_file_or_directory);
    EXPECT_EQ(LogSocket::open({.kind = Kind::syslog, .path = "/dev/null"}).error(),
              std::errc::connection_refused);
    EXPECT_EQ(LogSocket::open({.kind = Kind::syslog, .path = std::string(108, 'a')}).error(),
              std::errc::filename_too_long);
}

TEST(LogDestination, IsAFileADaemonOrAStream) {
    const auto of = [](std::string_view text) { return LogDestination::of(text); };
    EXPECT_EQ(of("").kind, Kind::none);
    EXPECT_EQ(of("-").kind, Kind::standard_error);
    EXPECT_TRUE(of("/a").is_file());
    EXPECT_TRUE(of("./syslog:").is_file());
    EXPECT_EQ(of("syslog:").path, "/dev/log");
    EXPECT_EQ(of("syslog:/a").path, "/a");
    EXPECT_EQ(of("journald:").path, "/run/systemd/journal/socket");
    EXPECT_EQ(of("journald:a").kind, Kind::journald);
}

}  // namespace
}  // namespace weir::server
