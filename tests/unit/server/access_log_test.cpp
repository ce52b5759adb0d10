#include "server/log/access_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/troubles.h"
#include "unit/server/datagram_daemon.h"
#include "unit/server/parsed_request.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

using Format = AccessLogOptions::Format;

constexpr Now now{.instant = Instant{std::chrono::milliseconds{5'017}},
                  .unix_seconds = 1'795'199'460};
constexpr Instant began{std::chrono::milliseconds{5'000}};

std::string get(std::string_view target) {
    return "GET " + std::string{target} + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

constexpr std::string_view any_head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// Has the log write of an answer to `head`; if `head` is empty, to a malformed request.
void answer(AccessLog& log, std::string_view head = any_head) {
    const ParsedRequest request{std::string{head.empty() ? any_head : head}};
    log.answered({.request = head.empty() ? nullptr : &request.get(),
                  .origin = request,
                  .status = http::Status::not_found,
                  .outcome = http::Outcome::sent,
                  .content_bytes = 12,
                  .began = began,
                  .now = now});
}

/// Returns the log after one answer() to `head`.
std::string logged(Format format, std::string_view head,
                   AccessLog::Written written = AccessLog::Written::by_a_thread) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    {
        const auto log =
            AccessLog::open({.path = directory / "log", .format = format}, errors, written);
        EXPECT_TRUE(log.has_value());
        answer(**log, head);
    }
    EXPECT_TRUE(errors.messages().empty());
    return read_text(directory / "log");
}

TEST(AccessLog, IsTheSameWhereItIsWrittenAtOnce) {
    const auto line = logged(Format::combined, any_head, AccessLog::Written::at_once);
    EXPECT_TRUE(line.contains("\"GET / HTTP/1.1\" 404 12"));
    EXPECT_EQ(line, logged(Format::combined, any_head));
}

TEST(AccessLog, LinesThatCannotBeWrittenAtOnceAreCounted) {
    RecordingLog errors;
    const auto lost = troubles().count(Trouble::log_lines);
    const auto log = AccessLog::open({.path = "/dev/full"}, errors, AccessLog::Written::at_once);
    ASSERT_TRUE(log.has_value());
    answer(**log);
    EXPECT_TRUE(errors.messages().empty());
    EXPECT_EQ(troubles().count(Trouble::log_lines), lost + 1);
}

TEST(AccessLog, TheNextLineOfAnyProcessSaysHowManyWereDropped) {
    const TemporaryDirectory directory;
    const AccessLogOptions to{.path = directory / "log"};
    std::filesystem::create_symlink("/dev/full", to.path);
    LogAmongForks forks;
    RecordingLog errors;
    const auto full = AccessLog::open(to, errors, AccessLog::Written::at_once, &forks);
    std::filesystem::remove(to.path);
    const auto log = AccessLog::open(to, errors, AccessLog::Written::at_once, &forks);
    ASSERT_TRUE(full.has_value() && log.has_value());

    answer(**full, get("/1"));
    answer(**full, get("/2"));
    answer(**log, get("/3"));
    answer(**log, get("/4"));

    const auto lines = read_text(to.path);
    EXPECT_EQ(std::ranges::count(lines, '\n'), 3) << lines;
    EXPECT_TRUE(lines.contains("weir: 2 lines were dropped")) << lines;
    EXPECT_TRUE(lines.find("GET /3") < lines.find("dropped")) << lines;
    EXPECT_EQ(forks.dropped(), 0U);
}

TEST(AccessLog, WhatCouldNotBeToldIsToldLater) {
    LogAmongForks forks;
    forks.drop_line();
    forks.drop_line();
    EXPECT_FALSE(forks.take_dropped(1)) << "another line was dropped meanwhile";
    EXPECT_TRUE(forks.take_dropped(2));
    forks.drop_line();
    forks.give_back_dropped(2);
    EXPECT_EQ(forks.dropped(), 3U);
}

TEST(AccessLog, DescribesTheRequestAndItsAnswer) {
    const std::string head =
        "POST http://example.org:81/a?b HTTP/1.0\r\nHost: a\r\nReferer: /from\r\n"
        "User-Agent: probe/1 (\"\\\xff\")\r\nX-Request-Id: 7\r\n\r\n";
    EXPECT_EQ(logged(Format::combined, head),
              "192.0.2.7 - - [20/Nov/2026:18:31:00 +0000] \"POST http://example.org:81/a?b "
              "HTTP/1.0\" 404 12 \"/from\" \"probe/1 (\\x22\\x5c\\xff\\x22)\"\n");
    EXPECT_EQ(
        logged(Format::json, head),
        R"({"time":"2026-11-20T18:31:00.000000Z","remote":"192.0.2.7","method":"POST",)"
        R"("target":"http://example.org:81/a?b","protocol":"HTTP/1.0",)"
        R"("host":"example.org:81","referer":"/from",)"
        R"x("user_agent":"probe/1 (\u0022\u005c\u00ff\u0022)","request_id":"7","status":404,)x"
        R"("bytes":12,)"
        R"("duration_ms":17.000,"outcome":"sent"})"
        "\n");
}

TEST(AccessLog, HasTheIdsThatTheRequestBrings) {
    const auto line_with = [](std::string_view fields) {
        return logged(Format::json, "GET / HTTP/1.1\r\nHost: a\r\n" + std::string{fields} + "\r\n");
    };
    const std::string trace = "0af7651916cd43dd8448eb211c80319c";
    EXPECT_TRUE(
        line_with("X-Request-Id: 7\"\r\ntraceparent: 00-" + trace + "-b7ad6b7169203331-01\r\n")
            .contains(R"(,"request_id":"7\u0022","trace_id":")" + trace + R"(","status")"));
    EXPECT_FALSE(
        line_with("traceparent: 00-" + trace + "-b7ad6b7169203331-0x\r\n").contains("trace_id"));
    EXPECT_FALSE(line_with("").contains("trace_id"));
}

TEST(AccessLog, MakesTheIdsThatRequestsLack) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    const AccessLogOptions to{.path = directory / "log",
                              .format = Format::own,
                              .own_format = "{request_id} {request_id}"};
    const auto log = AccessLog::open(to, errors, AccessLog::Written::at_once);
    ASSERT_TRUE(log.has_value());
    for (const std::string_view head :
         {any_head, any_head,
          std::string_view{"GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: \r\n\r\n"}})
        answer(**log, head);
    answer(**log, "");
    std::istringstream lines{read_text(to.path)};
    std::set<std::string> ids;
    for (std::string once, twice; lines >> once >> twice && once != "-";) {
        EXPECT_EQ(once, twice) << "one request has one ID";
        EXPECT_EQ(once.size(), 32U);
        EXPECT_EQ(once.find_first_not_of("0123456789abcdef"), std::string::npos) << once;
        ids.insert(once);
    }
    EXPECT_EQ(ids.size(), 3U);
    EXPECT_TRUE(read_text(to.path).ends_with("\n- -\n"));
}

TEST(AccessLog, HasALineForARequestThatCouldNotBeRead) {
    EXPECT_EQ(logged(Format::combined, ""),
              "192.0.2.7 - - [20/Nov/2026:18:31:00 +0000] \"-\" 404 12 \"-\" \"-\"\n");
}

TEST(AccessLog, HasTheFormatOfTheUser) {
    const TemporaryDirectory directory;
    RecordingLog errors;
    AccessLogOptions to{.path = directory / "log", .format = Format::own};
    EXPECT_EQ(AccessLog::open(to, errors).error(), std::errc::invalid_argument);
    to.own_format = "{status} {header:host}";
    const auto log = AccessLog::open(to, errors, AccessLog::Written::at_once);
    ASSERT_TRUE(log.has_value());
    answer(**log);
    answer(**log, "");
    EXPECT_EQ(read_text(to.path), "404 a\n404 -\n");
}

TEST(AccessLog, OfAProcessForAConnectionIsRotatedWhenItIsOpened) {
    const TemporaryDirectory directory;
    const AccessLogOptions to{.path = directory / "log", .rotate_bytes = 10};
    RecordingLog errors;
    LogAmongForks forks;
    const auto first = AccessLog::open(to, errors, AccessLog::Written::at_once, &forks);
    answer(**first, get("/1"));
    const auto second = AccessLog::open(to, errors, AccessLog::Written::at_once, &forks);
    answer(**second, get("/2"));
    answer(**first, get("/3"));
    EXPECT_TRUE(read_text(to.path + ".1").contains("GET /1 "));
    const auto lines = read_text(to.path);
    EXPECT_TRUE(lines.contains("GET /2 ") && lines.contains("GET /3 ")) << lines;
}

TEST(AccessLog, GoesToADaemon) {
    const TemporaryDirectory directory;
    DatagramDaemon daemon{directory / "socket"};
    RecordingLog errors;
    LogAmongForks forks;
    forks.drop_line();
    for (const auto written : {AccessLog::Written::by_a_thread, AccessLog::Written::at_once}) {
        const auto log =
            AccessLog::open({.path = "syslog:" + (directory / "socket")}, errors, written, &forks);
        ASSERT_TRUE(log.has_value());
        answer(**log);
        EXPECT_TRUE(daemon.next().ends_with("\"GET / HTTP/1.1\" 404 12 \"-\" \"-\""));
    }
    const auto about_dropped = daemon.next();
    EXPECT_TRUE(about_dropped.starts_with("<28>")) << about_dropped;
    EXPECT_TRUE(about_dropped.contains("weir: 1 lines were dropped")) << about_dropped;
}

TEST(AccessLog, CannotBeOpenedWhereItsFileCannot) {
    RecordingLog errors;
    EXPECT_EQ(AccessLog::open({.path = "/nowhere/at/all"}, errors).error(),
              std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace weir::server
