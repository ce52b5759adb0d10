#include "server/log/line/log_format.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/server/parsed_request.h"

namespace weir::server {
namespace {

AccessEntry example() {
    AccessEntry entry;
    entry.remote = "192.0.2.7";
    entry.unix_seconds = 1'795'199'460;
    entry.readable = true;
    entry.method = "GET";
    entry.target = "/a?b=c";
    entry.authority = "example.org";
    entry.user_agent = "curl/7.88.1 (\"x\")";
    entry.status = http::Status::not_found;
    entry.content_bytes = 12;
    entry.microseconds = 42;
    entry.duration = std::chrono::microseconds{17'003};
    return entry;
}

std::string line(std::string_view format, const AccessEntry& entry = example()) {
    std::string out;
    const auto parsed = LogFormat::parse(format);
    if (!parsed) return parsed.error().sentence;
    parsed->append(out, entry);
    return out;
}

TEST(LogFormat, FillsItsFields) {
    EXPECT_EQ(line("{remote} [{combined_time}] {method} {target} {status} {bytes} {duration_ms}ms"),
              "192.0.2.7 [20/Nov/2026:18:31:00 +0000] GET /a?b=c 404 12 17.003ms\n");
    EXPECT_EQ(line("{precise_time}"), "2026-11-20T18:31:00.000042Z\n");
    EXPECT_EQ(line("{time}\t{unix_time}\t{path}\t{query}\t{protocol}\t{host}\t{outcome}\t{sample}"),
              "2026-11-20T18:31:00Z\t1795199460\t/a\tb=c\tHTTP/1.1\texample.org\tsent\t1\n");
}

TEST(LogFormat, KeepsTextAndBraces) {
    EXPECT_EQ(line("{{\"s\":{status}}}"), "{\"s\":404}\n");
    EXPECT_EQ(line("a{status}b{status}c"), "a404b404c\n");
}

TEST(LogFormat, HasADashWhereNothingIsKnown) {
    EXPECT_EQ(line("{user} {tls} {client} \"{referer}\" {header:accept}", {}), "- - - \"-\" -\n");
    EXPECT_EQ(line("{query} {method} {protocol}", {}), "- - -\n");
}

TEST(LogFormat, HasAnyHeaderOfTheRequest) {
    const ParsedRequest request{"GET / HTTP/1.1\r\nHost: a\r\nX-Of-Mine: b c\r\n\r\n"};
    AccessEntry entry = example();
    entry.request = &request.get();
    EXPECT_EQ(line("\"{header:x-of-mine}\" {header:X-Of-Mine} {header:accept}", entry),
              "\"b c\" b\\x20c -\n");
}

TEST(LogFormat, NoRequestForgesALineOrAField) {
    AccessEntry entry = example();
    entry.user_agent = "x\" 200\n\\ \xff";
    EXPECT_EQ(line("\"{user_agent}\" {status}", entry), "\"x\\x22 200\\x0a\\x5c \\xff\" 404\n");
    EXPECT_EQ(line("{user_agent} {status}", entry), "x\\x22\\x20200\\x0a\\x5c\\x20\\xff 404\n");
}

TEST(LogFormat, RefusesWhatIsNone) {
    const auto unknown = LogFormat::parse("{remote} {statsu}");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().unknown, "statsu");
    EXPECT_EQ(unknown.error().sentence, "there is no field {statsu}");
    for (const std::string_view wrong :
         {"", "text", "{status", "status}", "{}", "{header:}", "{header:a b}", "{status}\n",
          "\"{status}", "{status}\x7f"})
        EXPECT_FALSE(LogFormat::parse(wrong).has_value()) << wrong;
}

TEST(LogFormat, KnowsEachOfItsFields) {
    for (const LogField& field : log_fields()) {
        const bool takes_name = field.name.ends_with(':');
        EXPECT_EQ(written_name(field).ends_with("NAME"), takes_name);
        const std::string name = std::string{field.name} + (takes_name ? "accept" : "");
        EXPECT_TRUE(LogFormat::parse("{" + name + "}").has_value()) << name;
    }
}

TEST(LogFormat, SaysHowManyLinesWereDropped) {
    std::string out;
    append_own_dropped(out, 42, 1'795'199'460);
    EXPECT_EQ(out, "2026-11-20T18:31:00Z weir: 42 lines were dropped\n");
}

}  // namespace
}  // namespace weir::server
