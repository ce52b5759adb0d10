#include "weir/server/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string>

#include "base/troubles.h"
#include "net/unique_fd.h"

namespace weir::server {
namespace {

/// Replaces standard error by a pipe.
struct StandardErrorLog : testing::Test {
    StandardErrorLog() : before{::dup(STDERR_FILENO)} {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
        reader.reset(ends[0]);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[1]);
        EXPECT_EQ(::fcntl(reader.get(), F_SETPIPE_SZ, PIPE_BUF), PIPE_BUF);
    }
    ~StandardErrorLog() override { ::dup2(before.get(), STDERR_FILENO); }

    std::string read() const {
        std::array<char, 2 * PIPE_BUF> bytes;
        const auto size = ::read(reader.get(), bytes.data(), bytes.size());
        return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    }

    Log& log = standard_error_log();
    net::UniqueFd before;
    net::UniqueFd reader;
};

TEST_F(StandardErrorLog, SaysHowSevereAMessageIs) {
    log.write(Severity::info, "one");
    log.write(Severity::warning, "two");
    log.write(Severity::error, "three");
    EXPECT_EQ(read(), "weir: one\nweir: warning: two\nweir: error: three\n");
}

TEST_F(StandardErrorLog, NeverWaitsAndSaysLaterWhatWasDropped) {
    const auto lost = troubles().count(Trouble::log_lines);
    log.write(Severity::error, std::string(PIPE_BUF, 'x'));  // the pipe is full
    for (int i = 0; i < 17; ++i) log.write(Severity::warning, "dropped");
    EXPECT_EQ(troubles().count(Trouble::log_lines), lost + 17);
    read();
    log.write(Severity::info, "taken");
    log.write(Severity::info, "taken too");
    EXPECT_EQ(read(), "weir: warning: 17 messages were dropped\nweir: taken\nweir: taken too\n");
}

TEST_F(StandardErrorLog, CutsWhatAPipeWouldNotTakeWhole) {
    log.write(Severity::info, std::string(2 * PIPE_BUF, 'x'));
    const auto line = read();
    EXPECT_EQ(line.size(), PIPE_BUF);
    EXPECT_TRUE(line.starts_with("weir: xxx"));
    EXPECT_TRUE(line.ends_with("xxx...\n"));
}

}  // namespace
}  // namespace weir::server
