#include "server/log/log_rotation.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>

#include "server/log/access_log.h"
#include "unit/server/parsed_request.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

constexpr std::int64_t day = 86'400;

struct RotatedLog : testing::Test {
    LogFile open() const { return std::move(*LogFile::open(path)); }
    void write(LogFile& file, std::string_view text) const {
        const std::atomic<bool> stopping{false};
        EXPECT_EQ(file.write(text, stopping).size, text.size());
    }
    /// Whether the file is a new one.
    std::expected<bool, std::error_code> prepared(LogFile& file, std::size_t bytes) const {
        auto result = rotation.prepare(file, bytes, 0);
        LogRotation::release(file);
        return result;
    }
    /// Whether the process of `file` would wait for the lock of another one.
    static bool would_wait(const LogFile& file) {
        struct flock whole{};
        whole.l_type = F_WRLCK;
        whole.l_whence = SEEK_SET;
        EXPECT_EQ(::fcntl(file.fd(), F_OFD_GETLK, &whole), 0);
        return whole.l_type != F_UNLCK;
    }
    std::string text(unsigned number) const {
        const auto name = number == 0 ? path : path + "." + std::to_string(number);
        return std::filesystem::exists(name) ? read_text(name) : "none";
    }

    TemporaryDirectory directory;
    const std::string path = directory / "log";
    const AccessLogOptions options{.path = path, .rotate_bytes = 10, .rotate_keep = 2};
    const LogRotation rotation{options, nullptr};
};

TEST_F(RotatedLog, IsRenamedBeforeItIsTooLarge) {
    LogFile file = open();
    EXPECT_FALSE(prepared(file, 100).value()) << "an empty file";
    write(file, "12345\n");
    EXPECT_FALSE(prepared(file, 4).value());
    EXPECT_TRUE(prepared(file, 5).value());
    write(file, "b\n");
    EXPECT_EQ(text(0), "b\n");
    EXPECT_EQ(text(1), "12345\n");
}

TEST_F(RotatedLog, KeepsSoManyFiles) {
    LogFile file = open();
    for (const std::string_view line : {"a\n", "b\n", "c\n", "d\n"}) {
        EXPECT_TRUE(prepared(file, 10).has_value());
        write(file, line);
    }
    EXPECT_EQ(text(0), "d\n");
    EXPECT_EQ(text(1), "c\n");
    EXPECT_EQ(text(2), "b\n");
    EXPECT_EQ(text(3), "none");
}

TEST_F(RotatedLog, IsOpenedAgainByTheOthers) {
    LogFile one = open();
    LogFile other = open();
    write(one, "12345\n");
    EXPECT_TRUE(prepared(one, 10).value());
    write(other, "to the old file\n");
    EXPECT_TRUE(prepared(other, 10).value());
    write(other, "b\n");
    EXPECT_EQ(text(0), "b\n");
    EXPECT_EQ(text(1), "12345\nto the old file\n");
    EXPECT_EQ(text(2), "none");
}

TEST_F(RotatedLog, StaysInItsFileIfThatCannotBeRenamed) {
    std::filesystem::create_directory(path + ".2");
    LogFile file = open();
    EXPECT_TRUE(LogFile::open(path + ".1").has_value());
    write(file, "a\n");
    EXPECT_FALSE(prepared(file, 10).has_value());
    write(file, "b\n");
    EXPECT_EQ(text(0), "a\nb\n");
    LogFile other = open();
    EXPECT_FALSE(prepared(other, 10).has_value()) << "no lock is left";
}

TEST_F(RotatedLog, IsWrittenByOneProcessAtATime) {
    LogFile one = open();
    LogFile other = open();
    EXPECT_FALSE(rotation.prepare(one, 6, 0).value());
    EXPECT_TRUE(would_wait(other)) << "before the write";
    write(one, "12345\n");
    LogRotation::release(one);
    EXPECT_FALSE(would_wait(other));
    EXPECT_TRUE(rotation.prepare(one, 6, 0).value());
    EXPECT_TRUE(would_wait(open())) << "the new file is locked, too";
}

TEST_F(RotatedLog, IsRenamedNowhereIfItsNewNamesAreLinksToIt) {
    LogFile file = open();
    write(file, "12345\n");
    std::filesystem::create_hard_link(path, path + ".1");
    std::filesystem::create_hard_link(path, path + ".2");
    EXPECT_FALSE(prepared(file, 10).value()) << "rename(2) does nothing";
    write(file, "b\n");
    EXPECT_EQ(text(0), "12345\nb\n");
}

TEST(LogRotation, RenamesTheLogOfAnotherDay) {
    const TemporaryDirectory directory;
    const std::string path = directory / "log";
    const LogRotation rotation{{.path = path, .rotate_daily = true}, nullptr};
    LogFile file = std::move(*LogFile::open(path));
    const std::atomic<bool> stopping{false};
    file.write("a\n", stopping);
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_FALSE(rotation.prepare(file, 10, status.st_mtim.tv_sec).value());
    EXPECT_TRUE(rotation.prepare(file, 10, status.st_mtim.tv_sec + day).value());
    EXPECT_EQ(read_text(path + ".1"), "a\n");
}

TEST(LogRotation, IsNewsOnceInAllProcesses) {
    LogAmongForks forks;
    LogRotation one{{.path = "a", .rotate_bytes = 1}, &forks};
    LogRotation other{{.path = "a", .rotate_bytes = 1}, &forks};
    EXPECT_FALSE(one.is_news(false));
    EXPECT_TRUE(one.is_news(true));
    EXPECT_FALSE(one.is_news(true));
    EXPECT_FALSE(other.is_news(true));
    EXPECT_FALSE(other.is_news(false));
    EXPECT_TRUE(one.is_news(true));
}

TEST(LogRotation, IsOffByItself) {
    EXPECT_FALSE(LogRotation{}.is_on());
    EXPECT_FALSE((LogRotation{{.path = "a"}, nullptr}.is_on()));
}

}  // namespace
}  // namespace weir::server
