#include "cli/option/quantities.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(Quantities, Durations) {
    EXPECT_EQ(parse_duration("10"), milliseconds{10'000});
    EXPECT_EQ(parse_duration("0"), milliseconds{0});
    EXPECT_EQ(parse_duration("250ms"), milliseconds{250});
    EXPECT_EQ(parse_duration("3s"), milliseconds{3'000});
    EXPECT_EQ(parse_duration("2m"), milliseconds{120'000});
    EXPECT_EQ(parse_duration("8760h"), milliseconds{31'536'000'000});
    for (const char* text : {"", "s", "-1", "+1", "1.5s", "1 s", "1d", "8761h",
                             "18446744073709551615", "99999999999999999999"})
        EXPECT_FALSE(parse_duration(text).has_value()) << text;
}

TEST(Quantities, Delays) {
    EXPECT_EQ(parse_delay("100us"), microseconds{100});
    EXPECT_EQ(parse_delay("1ms"), microseconds{1'000});
    EXPECT_EQ(parse_delay("0"), microseconds{0});
    EXPECT_EQ(parse_delay("2s"), microseconds{2'000'000});
    EXPECT_EQ(parse_delay("1h"), microseconds{3'600'000'000});
    for (const char* text : {"", "us", "2", "1ns", "1.5ms", "61m", "2h", "-1us", "3600000001us"})
        EXPECT_FALSE(parse_delay(text).has_value()) << text;
}

TEST(Quantities, Sizes) {
    EXPECT_EQ(parse_size("4096"), 4'096u);
    EXPECT_EQ(parse_size("64K"), 65'536u);
    EXPECT_EQ(parse_size("1M"), 1'048'576u);
    EXPECT_EQ(parse_size("2G"), 2'147'483'648u);
    for (const char* text : {"", "K", "1k", "1KB", "-1", "0x10", "9999999999G"})
        EXPECT_FALSE(parse_size(text).has_value()) << text;
}

TEST(Quantities, Counts) {
    EXPECT_EQ(parse_count("0", 9), 0u);
    EXPECT_EQ(parse_count("9", 9), 9u);
    EXPECT_FALSE(parse_count("10", 9).has_value());
    EXPECT_EQ(parse_count("1", 9, 1), 1u);
    EXPECT_EQ(parse_count("0", 9, 1).error(), "'0' is not a number from 1 to 9");
    EXPECT_FALSE(parse_count("1s", 9).has_value());
}

TEST(Quantities, HeaderRules) {
    const auto by_name = parse_header(" *.js :X-A:  b: c ");
    ASSERT_TRUE(by_name.has_value());
    EXPECT_EQ(by_name->glob, "*.js");
    EXPECT_EQ(by_name->media_type, "");
    EXPECT_EQ(by_name->name, "X-A");
    EXPECT_EQ(by_name->value, "b: c");
    EXPECT_EQ(parse_header("/a/b: X-A: b")->glob, "/a/b");
    EXPECT_EQ(parse_header("text/html: X-A: b")->media_type, "text/html");
    EXPECT_EQ(parse_header("*: X-A:")->value, "");
}

TEST(Quantities, RefusedHeaderRules) {
    EXPECT_TRUE(parse_header("assets/*: X-A: b").error().contains("must begin with '/'"));
    EXPECT_TRUE(parse_header(": X-A: b").error().contains("files must be named"));
    EXPECT_TRUE(parse_header("X-A: b").error().contains("FILES: Name: value"));
    EXPECT_TRUE(parse_header("*: X A: b").error().contains("token"));
    EXPECT_TRUE(parse_header("*: X-A: b\nc").error().contains("control"));
    EXPECT_FALSE(parse_header("*: Content-Length: 1").has_value());
    EXPECT_FALSE(parse_cache_control("*.css").has_value());
}

TEST(Quantities, CacheRulesAreForWhatIsDelivered) {
    EXPECT_TRUE(parse_cache_control("/**: immutable")->delivered_only);
    EXPECT_FALSE(parse_header("/**: Cache-Control: immutable")->delivered_only);
}

TEST(Quantities, MediaTypeRules) {
    const auto rule = parse_media_type(" *.foo : text/plain; charset=koi8-r");
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->glob, "*.foo");
    EXPECT_EQ(rule->media_type, "text/plain; charset=koi8-r");
    for (const char* text : {"", "*.foo", ": text/plain", "*.foo: html", "text/html: text/plain"})
        EXPECT_FALSE(parse_media_type(text).has_value()) << text;
}

}  // namespace
}  // namespace weir::cli
