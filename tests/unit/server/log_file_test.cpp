#include "server/log/target/log_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

/// Replaces standard error by a pipe in packet mode, which keeps each write(2) separate.
class PacketsOnStandardError {
   public:
    PacketsOnStandardError() : before_{::dup(STDERR_FILENO)} {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe2(ends.data(), O_DIRECT | O_CLOEXEC | O_NONBLOCK), 0);
        reader_.reset(ends[0]);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[1]);
    }
    ~PacketsOnStandardError() { ::dup2(before_.get(), STDERR_FILENO); }

    /// The next packet; empty if there is none.
    std::string next() const {
        std::array<char, 8192> bytes;
        const auto size = ::read(reader_.get(), bytes.data(), bytes.size());
        return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    }

   private:
    net::UniqueFd before_;
    net::UniqueFd reader_;
};

TEST(LogFile, CutsWhatItWritesToAPipeBetweenLines) {
    std::string lines;
    for (int line = 0; line < 100; ++line) lines += std::string(120, 'x') + '\n';
    const PacketsOnStandardError packets;
    auto file = LogFile::open("-");
    ASSERT_TRUE(file.has_value());
    std::atomic<bool> stopping{false};
    EXPECT_EQ(file->write(lines, stopping).size, lines.size());
    std::size_t size = 0;
    for (std::string packet = packets.next(); !packet.empty(); packet = packets.next()) {
        EXPECT_EQ(packet.back(), '\n');
        size += packet.size();
    }
    EXPECT_EQ(size, lines.size());
}

TEST(LogFile, CutsALineThatIsLongerThanAPieceOfAPipe) {
    const PacketsOnStandardError packets;
    auto file = LogFile::open("-");
    ASSERT_TRUE(file.has_value());
    std::atomic<bool> stopping{false};
    const std::string line = std::string(5'000, 'x') + '\n';
    EXPECT_EQ(file->write(line, stopping).size, line.size());
    EXPECT_EQ((packets.next() + packets.next()).size(), line.size());
}

/// A file that a killed process has left in the middle of a line.
TEST(LogFile, EndsALineThatWasCutBeforeItWasOpened) {
    const TemporaryDirectory directory;
    const std::string path = directory / "access.log";
    std::ofstream{path} << "whole\ncut";
    auto file = LogFile::open(path);
    ASSERT_TRUE(file.has_value());
    std::atomic<bool> stopping{false};
    EXPECT_EQ(file->write("next\n", stopping).size, 5u);
    EXPECT_EQ(file->reopen(), std::error_code{});
    EXPECT_EQ(file->write("last\n", stopping).size, 5u);
    EXPECT_EQ(read_text(path), "whole\ncut\nnext\nlast\n");
}

TEST(LogFile, EndsACutLineOnceHoweverManyFoundIt) {
    const TemporaryDirectory directory;
    const std::string path = directory / "access.log";
    std::ofstream{path} << "whole\ncut";
    auto one = LogFile::open(path);
    auto two = LogFile::open(path);
    ASSERT_TRUE(one.has_value() && two.has_value());
    std::atomic<bool> stopping{false};
    EXPECT_EQ(one->write("one\n", stopping).size, 4u);
    EXPECT_EQ(two->write("two\n", stopping).size, 4u);
    EXPECT_EQ(read_text(path), "whole\ncut\none\ntwo\n") << "no empty line";
}

/// A file that can have so many bytes, as on a disk that is full then.
class Disk {
   public:
    explicit Disk(rlim_t bytes) : before_{std::signal(SIGXFSZ, SIG_IGN)} {
        ::getrlimit(RLIMIT_FSIZE, &room_);
        const rlimit small{.rlim_cur = bytes, .rlim_max = room_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~Disk() {
        ::setrlimit(RLIMIT_FSIZE, &room_);
        std::signal(SIGXFSZ, before_);
    }

   private:
    void (*before_)(int);
    rlimit room_{};
};

/// Two worker processes write to one file.
struct TwoWorkers : testing::Test {
    const TemporaryDirectory directory;
    const std::string path = directory / "access.log";
    std::atomic<bool> stopping{false};
    std::expected<LogFile, std::error_code> one = LogFile::open(path);
    std::expected<LogFile, std::error_code> other = LogFile::open(path);
};

TEST_F(TwoWorkers, DoNotContinueALineThatAFullDiskHasCut) {
    {
        const Disk disk{15};
        const auto written = one->write("whole\nmore\nthis is cut\n", stopping);
        EXPECT_EQ(written.size, 11u) << "the line that was cut counts as lost";
        EXPECT_TRUE(written.error);
        EXPECT_EQ(one->write("and this\n", stopping).size, 0u);
        EXPECT_EQ(other->write("so is this\n", stopping).size, 0u);
    }
    EXPECT_EQ(other->write("next\n", stopping).size, 5u);
    EXPECT_EQ(one->write("last\n", stopping).size, 5u);
    EXPECT_EQ(read_text(path), "whole\nmore\nnext\nlast\n");
}

}  // namespace
}  // namespace weir::server
