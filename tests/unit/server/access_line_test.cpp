#include "server/log/line/access_line.h"

#include <gtest/gtest.h>

#include "server/log/line/log_time.h"

namespace weir::server {
namespace {

AccessEntry example() {
    AccessEntry entry;
    entry.remote = "192.0.2.7";
    entry.unix_seconds = 1'795'199'460;
    entry.readable = true;
    entry.method = "GET";
    entry.target = "/a?b=c";
    entry.authority = "example.org:8000";
    entry.minor_version = 1;
    entry.referer = "https://example.net/";
    entry.user_agent = "curl/7.88.1";
    entry.status = http::Status::partial_content;
    entry.outcome = http::Outcome::sent;
    entry.content_bytes = 18'446'744'073'709'551'615u;
    entry.microseconds = 42;
    entry.duration = std::chrono::microseconds{17'003};
    return entry;
}

std::string combined(const AccessEntry& entry) {
    std::string line;
    append_combined(line, entry);
    return line;
}

std::string json(const AccessEntry& entry) {
    std::string line;
    append_json(line, entry);
    return line;
}

TEST(AccessLine, NamesTheProtocol) {
    AccessEntry entry = example();
    entry.major_version = 2;
    entry.minor_version = 0;
    EXPECT_NE(combined(entry).find("\"GET /a?b=c HTTP/2.0\""), std::string::npos);
    EXPECT_NE(json(entry).find("\"protocol\":\"HTTP/2.0\""), std::string::npos);
}

TEST(AccessLine, CombinedIsTheFormatThatEveryReaderKnows) {
    EXPECT_EQ(combined(example()),
              "192.0.2.7 - - [20/Nov/2026:18:31:00 +0000] \"GET /a?b=c HTTP/1.1\" 206 "
              "18446744073709551615 \"https://example.net/\" \"curl/7.88.1\"\n");
}

TEST(AccessLine, CombinedHasADashWhereNothingIsKnown) {
    AccessEntry entry;
    entry.remote = "unix:";
    entry.unix_seconds = 0;
    entry.status = http::Status::bad_request;
    EXPECT_EQ(combined(entry), "unix: - - [01/Jan/1970:00:00:00 +0000] \"-\" 400 0 \"-\" \"-\"\n");
}

TEST(AccessLine, HasTheUserAsOneWord) {
    AccessEntry entry = example();
    entry.user = "ada \"b\"";
    EXPECT_TRUE(combined(entry).starts_with("192.0.2.7 - ada\\x20\\x22b\\x22 [20/Nov"));
    EXPECT_NE(json(entry).find(R"(,"user":"ada \u0022b\u0022",)"), std::string::npos);
}

TEST(AccessLine, JsonSaysAll) {
    EXPECT_EQ(json(example()),
              R"({"time":"2026-11-20T18:31:00.000042Z","remote":"192.0.2.7","method":"GET",)"
              R"("target":"/a?b=c","protocol":"HTTP/1.1","host":"example.org:8000",)"
              R"("referer":"https://example.net/","user_agent":"curl/7.88.1","status":206,)"
              R"("bytes":18446744073709551615,"duration_ms":17.003,"outcome":"sent"})"
              "\n");
}

TEST(AccessLine, JsonSaysHowManyAnswersALineStandsFor) {
    AccessEntry entry = example();
    entry.sample = 10;
    EXPECT_NE(json(entry).find(R"("outcome":"sent","sample":10})"), std::string::npos);
}

TEST(AccessLine, JsonLeavesOutWhatIsNotThere) {
    AccessEntry entry;
    entry.remote = "::1";
    entry.status = http::Status::request_timeout;
    entry.outcome = http::Outcome::peer_gone;
    EXPECT_EQ(json(entry),
              R"({"time":"1970-01-01T00:00:00.000000Z","remote":"::1","status":408,"bytes":0,)"
              R"("duration_ms":0.000,"outcome":"peer gone"})"
              "\n");
}

TEST(AccessLine, NoRequestForgesALineOrAField) {
    AccessEntry entry = example();
    entry.user_agent = "x\" 200\n127.0.0.1 - - \xff\\";
    entry.referer = "\x1b[2J\r";
    entry.method = "G\"T";
    entry.target = "/\n";
    entry.authority = "a\"b";
    EXPECT_EQ(combined(entry),
              "192.0.2.7 - - [20/Nov/2026:18:31:00 +0000] \"G\\x22T /\\x0a HTTP/1.1\" 206 "
              "18446744073709551615 \"\\x1b[2J\\x0d\" "
              "\"x\\x22 200\\x0a127.0.0.1 - - \\xff\\x5c\"\n");
    EXPECT_EQ(json(entry),
              R"({"time":"2026-11-20T18:31:00.000042Z","remote":"192.0.2.7","method":"G\u0022T",)"
              R"("target":"/\u000a","protocol":"HTTP/1.1","host":"a\u0022b",)"
              R"("referer":"\u001b[2J\u000d",)"
              R"("user_agent":"x\u0022 200\u000a127.0.0.1 - - \u00ff\u005c","status":206,)"
              R"("bytes":18446744073709551615,"duration_ms":17.003,"outcome":"sent"})"
              "\n");
}

TEST(AccessLine, DroppedLinesAreALineOfTheSameFormat) {
    std::string line;
    append_combined_dropped(line, 42, 1'795'199'460);
    EXPECT_EQ(line,
              "- - - [20/Nov/2026:18:31:00 +0000] \"-\" 0 0 \"-\" "
              "\"weir: 42 lines were dropped\"\n");
    line.clear();
    append_json_dropped(line, 42, 1'795'199'460);
    EXPECT_EQ(line, "{\"time\":\"2026-11-20T18:31:00Z\",\"dropped_lines\":42}\n");
}

TEST(LogTime, FollowsTheCalendar) {
    EXPECT_EQ(combined_time(951'782'399), "28/Feb/2000:23:59:59 +0000");
    EXPECT_EQ(combined_time(951'782'400), "29/Feb/2000:00:00:00 +0000");
    EXPECT_EQ(combined_time(951'782'400), "29/Feb/2000:00:00:00 +0000");
    EXPECT_EQ(combined_time(4'102'444'800), "01/Jan/2100:00:00:00 +0000");
    EXPECT_EQ(internet_time(951'782'400), "2000-02-29T00:00:00Z");
    EXPECT_EQ(internet_time(1'704'067'199), "2023-12-31T23:59:59Z");
}

}  // namespace
}  // namespace weir::server
