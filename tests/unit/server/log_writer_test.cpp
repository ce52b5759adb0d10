#include "server/log/log_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

void append_dropped(std::string& out, std::uint64_t lines, std::int64_t) {
    out += "dropped " + std::to_string(lines) + '\n';
}

LogFile open_file(const std::string& path) {
    auto file = LogFile::open(path);
    EXPECT_TRUE(file.has_value()) << file.error().message();
    return std::move(*file);
}

/// A FIFO with a reader that does not read: it acts like a disk that is stuck.
class StuckFifo {
   public:
    explicit StuckFifo(const std::string& path) {
        EXPECT_EQ(::mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);
        reader_.reset(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        EXPECT_TRUE(reader_);
        EXPECT_EQ(::fcntl(reader_.get(), F_SETPIPE_SZ, 8192), 8192);
    }

    /// Reads until `text` has come, or to the end.
    std::string read_to(std::string_view text) {
        std::string all;
        while (text.empty() || !all.contains(text)) {
            pollfd waited{.fd = reader_.get(), .events = POLLIN, .revents = 0};
            ::poll(&waited, 1, -1);
            std::array<char, 4096> bytes;
            const auto size = ::read(reader_.get(), bytes.data(), bytes.size());
            if (size <= 0) break;
            all.append(bytes.data(), static_cast<std::size_t>(size));
        }
        return all;
    }
    std::string read_to_end() { return read_to({}); }
    bool is_silent_for(std::chrono::milliseconds time) const {
        pollfd waited{.fd = reader_.get(), .events = POLLIN, .revents = 0};
        return ::poll(&waited, 1, static_cast<int>(time.count())) == 0;
    }
    void close() { reader_.reset(); }

   private:
    net::UniqueFd reader_;
};

/// Notices when a file appears in a directory.
class Appearance {
   public:
    explicit Appearance(const std::filesystem::path& directory)
        : events_{::inotify_init1(IN_CLOEXEC)} {
        EXPECT_GE(::inotify_add_watch(events_.get(), directory.c_str(), IN_CREATE), 0);
    }
    void wait() {
        std::array<char, 4096> bytes;
        EXPECT_GT(::read(events_.get(), bytes.data(), bytes.size()), 0);
    }

   private:
    net::UniqueFd events_;
};

TEST(LogWriter, WritesWhatWaitsBeforeItGoes) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    {
        LogWriter writer{open_file(directory / "log"), append_dropped, errors, {}};
        writer.append("one\n");
        writer.append("two\n");
    }
    EXPECT_EQ(read_text(directory / "log"), "one\ntwo\n");
    EXPECT_TRUE(errors.messages().empty());
}

TEST(LogWriter, AppendsToAFileThatIsThere) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    for (const char* line : {"one\n", "two\n"})
        LogWriter{open_file(directory / "log"), append_dropped, errors, {}}.append(line);
    EXPECT_EQ(read_text(directory / "log"), "one\ntwo\n");
}

TEST(LogWriter, WritesWithoutBeingStopped) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    StuckFifo fifo{directory / "log"};
    LogWriter writer{open_file(directory / "log"),
                     append_dropped,
                     errors,
                     {.gather = std::chrono::milliseconds{1}}};
    writer.append("one\n");
    EXPECT_EQ(fifo.read_to("\n"), "one\n");
}

TEST(LogWriter, GathersAgainOnceItHadMuchToWrite) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    StuckFifo fifo{directory / "log"};
    LogWriter writer{open_file(directory / "log"),
                     append_dropped,
                     errors,
                     {.write_bytes = 8, .gather = std::chrono::hours{1}}};
    for (int i = 0; i < 5; ++i) {
        writer.append("few\n");
        EXPECT_TRUE(fifo.is_silent_for(std::chrono::milliseconds{20}));
        writer.append("enough\n");
        EXPECT_EQ(fifo.read_to("enough\n"), "few\nenough\n");
    }
}

TEST(LogWriter, KeepsLinesOfManyThreadsWhole) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    constexpr int threads = 4;
    constexpr int lines_each = 2'000;
    {
        LogWriter writer{
            open_file(directory / "log"), append_dropped, errors, {.write_bytes = 512}};
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread)
            running.emplace_back([&writer, thread] {
                const std::string line(40, static_cast<char>('a' + thread));
                for (int count = 0; count < lines_each; ++count) writer.append(line + '\n');
            });
    }
    std::ifstream file{directory / "log"};
    int lines = 0;
    for (std::string line; std::getline(file, line); ++lines)
        EXPECT_EQ(line, std::string(40, line.empty() ? '?' : line[0]));
    EXPECT_EQ(lines, threads * lines_each);
}

TEST(LogWriter, CountsTheLinesThatItDropsWhileTheDiskIsStuck) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    StuckFifo fifo{directory / "log"};
    constexpr int appended = 400;
    std::string read;
    {
        LogWriter writer{open_file(directory / "log"),
                         append_dropped,
                         errors,
                         {.waiting_bytes_max = 8'192, .write_bytes = 1'024}};
        const std::string line = std::string(499, 'x') + '\n';
        for (int count = 0; count < appended; ++count) writer.append(line);
        read = fifo.read_to("dropped");
    }
    read += fifo.read_to_end();

    int written = 0;
    int dropped = 0;
    std::istringstream lines{read};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("dropped ")) {
            dropped += std::stoi(line.substr(8));
        } else {
            EXPECT_EQ(line, std::string(499, 'x'));
            ++written;
        }
    }
    // The pipe, the bytes being written and the waiting lines hold 24 KB; all other lines were
    // dropped.
    EXPECT_GE(dropped, appended - 2 * 24'576 / 500);
    EXPECT_EQ(written + dropped, appended);
    EXPECT_TRUE(errors.messages().empty());
}

TEST(LogWriter, StopsAlthoughTheDiskIsStuck) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    const StuckFifo fifo{directory / "log"};
    {
        LogWriter writer{open_file(directory / "log"), append_dropped, errors, {}};
        for (int count = 0; count < 4; ++count) writer.append(std::string(3'999, 'x') + '\n');
    }
    ASSERT_EQ(errors.messages().size(), 1u);
    EXPECT_TRUE(errors.messages()[0].ends_with("the last 2 lines were dropped"))
        << errors.messages()[0];
}

TEST(LogWriter, SaysOnceThatTheDiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    RecordingLog errors;
    {
        LogWriter writer{open_file("/dev/full"),
                         append_dropped,
                         errors,
                         {.gather = std::chrono::milliseconds{0}}};
        writer.append("one\n");
        errors.wait_for_messages(1);
        for (int count = 0; count < 100; ++count) writer.append("more\n");
    }
    const auto messages = errors.messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0],
              "access log /dev/full: No space left on device; lines are dropped until it can be "
              "written again");
    EXPECT_EQ(messages[1], "access log /dev/full: the last 101 lines were dropped");
}

TEST(LogWriter, SurvivesAReaderThatGoes) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    StuckFifo fifo{directory / "log"};
    LogWriter writer{open_file(directory / "log"), append_dropped, errors, {}};
    fifo.close();
    writer.append("one\n");
    errors.wait_for_messages(1);
    EXPECT_TRUE(errors.messages()[0].contains("Broken pipe")) << errors.messages()[0];
}

TEST(LogWriter, GoesOnInANewFileOnceTheOldOneWasRenamed) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    {
        LogWriter writer{open_file(directory / "log"), append_dropped, errors, {}};
        writer.append("one\n");
        Appearance appearance{directory.path()};
        std::filesystem::rename(directory / "log", directory / "log.1");
        writer.reopen();
        appearance.wait();
        writer.append("two\n");
    }
    EXPECT_EQ(read_text(directory / "log.1"), "one\n");
    EXPECT_EQ(read_text(directory / "log"), "two\n");
}

TEST(LogWriter, KeepsTheOldFileWhereThereCanBeNoNewOne) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    std::filesystem::create_directory(directory / "logs");
    {
        LogWriter writer{open_file(directory / "logs/log"), append_dropped, errors, {}};
        std::filesystem::rename(directory / "logs", directory / "moved");
        writer.reopen();
        errors.wait_for_messages(1);
        writer.append("one\n");
    }
    EXPECT_EQ(read_text(directory / "moved/log"), "one\n");
    EXPECT_TRUE(errors.messages()[0].contains("cannot be reopened")) << errors.messages()[0];
}

TEST(LogFile, RefusesWhatCannotBeWritten) {
    const TemporaryDirectory directory;
    EXPECT_EQ(LogFile::open(directory / "no/such/log").error(),
              std::errc::no_such_file_or_directory);
    EXPECT_EQ(LogFile::open(directory.path()).error(), std::errc::is_a_directory);
    ASSERT_EQ(::mkfifo((directory / "fifo").c_str(), S_IRUSR | S_IWUSR), 0);
    EXPECT_EQ(LogFile::open(directory / "fifo").error(), std::errc::no_such_device_or_address);
}

TEST(LogFile, IsNotForEverybodyToRead) {
    const TemporaryDirectory directory;
    const LogFile file = open_file(directory / "log");
    struct stat status{};
    ASSERT_EQ(::stat((directory / "log").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07u, 0u);
}

TEST(LogFile, BeginsANewLineBehindOneThatWasCut) {
    const TemporaryDirectory directory;
    StuckFifo fifo{directory / "log"};
    LogFile file = open_file(directory / "log");
    const std::atomic<bool> stopping{true};
    EXPECT_EQ(file.write(std::string(9'000, 'x'), stopping).size, 8'192u);
    EXPECT_EQ(fifo.read_to(std::string(8'192, 'x')).size(), 8'192u);
    EXPECT_EQ(file.write("next\n", stopping).size, 5u);
    EXPECT_EQ(fifo.read_to("next\n"), "\nnext\n");
}

}  // namespace
}  // namespace weir::server
