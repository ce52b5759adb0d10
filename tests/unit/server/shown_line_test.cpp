#include "server/log/line/shown_line.h"

#include <gtest/gtest.h>

#include <ctime>
#include <optional>

#include "unit/cli/variable.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t noon = 1'795'176'000;  // 2026-11-20T12:00:00Z

struct ShownLine : testing::Test {
    ShownLine() {
        use_zone("UTC0");
        entry.unix_seconds = noon;
        entry.readable = true;
        entry.method = "GET";
        entry.target = "/index.html?a";
        entry.content_bytes = 1'234;
        entry.duration = 17ms;
    }
    ~ShownLine() override {
        zone.reset();
        ::tzset();
    }

    void use_zone(const char* name) {
        zone.emplace("TZ", name);
        ::tzset();
    }
    std::string shown() const {
        std::string line;
        append_shown(line, entry);
        return line;
    }
    std::string coloured() const {
        std::string line;
        append_shown_in_colour(line, entry);
        return line;
    }

    std::optional<cli::Variable> zone;
    AccessEntry entry;
};

TEST_F(ShownLine, HasTimeStatusSizeDurationAndRequest) {
    EXPECT_EQ(shown(), "12:00:00 200  1.2 KB   17 ms  GET /index.html?a\n");
}

TEST_F(ShownLine, IsInLocalTime) {
    use_zone("XYZ-2:30");
    entry.unix_seconds = noon + 1;
    EXPECT_EQ(shown().substr(0, 8), "14:30:01");
}

TEST_F(ShownLine, HasSizesAndDurationsForPeople) {
    const auto size = [this](std::uint64_t bytes) {
        entry.content_bytes = bytes;
        return shown().substr(12, 8);
    };
    EXPECT_EQ(size(0), "     0 B");
    EXPECT_EQ(size(999), "   999 B");
    EXPECT_EQ(size(1'000), "  1.0 KB");
    EXPECT_EQ(size(9'999), "  9.9 KB");
    EXPECT_EQ(size(10'000), "   10 KB");
    EXPECT_EQ(size(999'999), "  999 KB");
    EXPECT_EQ(size(67'108'864), "   67 MB");
    EXPECT_EQ(size(~std::uint64_t{0}), "   18 EB");
    entry.content_bytes = 1;
    entry.duration = 0ms;
    EXPECT_TRUE(shown().contains("     1 B   <1 ms  GET"));
    entry.duration = 1'650ms;
    EXPECT_TRUE(shown().contains("     1 B   1.6 s  GET"));
}

TEST_F(ShownLine, SaysHowAnAnswerEndedThatWasNotSent) {
    entry.outcome = http::Outcome::peer_gone;
    EXPECT_TRUE(shown().ends_with("GET /index.html?a (peer gone)\n"));
}

TEST_F(ShownLine, HasNothingOfARequestThatCouldNotBeRead) {
    entry.readable = false;
    entry.status = http::Status::bad_request;
    EXPECT_EQ(shown(), "12:00:00 400  1.2 KB   17 ms  (unreadable request)\n");
}

TEST_F(ShownLine, LetsNoEscapeSequenceThrough) {
    entry.method = "G\x1b[2J";
    entry.target = "/\r\n\x1b]0;title\x07\x9b\"\\";
    EXPECT_TRUE(shown().ends_with("  G\\x1b[2J /\\x0d\\x0a\\x1b]0;title\\x07\\x9b\\x22\\x5c\n"))
        << shown();
}

TEST_F(ShownLine, HasAColourForEachClassOfStatus) {
    const auto shown_status = [this](http::Status status) {
        entry.status = status;
        return coloured().substr(9, 12);
    };
    EXPECT_EQ(shown_status(http::Status::ok), "\x1b[32m200\x1b[0m");
    EXPECT_EQ(shown_status(http::Status::not_modified), "\x1b[36m304\x1b[0m");
    EXPECT_EQ(shown_status(http::Status::not_found), "\x1b[33m404\x1b[0m");
    EXPECT_EQ(shown_status(http::Status::internal_server_error), "\x1b[31m500\x1b[0m");
}

TEST_F(ShownLine, StandsForThoseThatAreNotShown) {
    std::string line;
    append_shown_dropped(line, 42, noon);
    EXPECT_EQ(line, "12:00:00 42 more requests are not shown\n");
}

}  // namespace
}  // namespace weir::server
