#include "dav/request/fields.h"

#include <gtest/gtest.h>

namespace weir::dav {
namespace {

using std::chrono::seconds;

TEST(Fields, Depths) {
    EXPECT_EQ(parse_depth("0"), Depth::none);
    EXPECT_EQ(parse_depth(" 1 "), Depth::one);
    EXPECT_EQ(parse_depth("1,noroot"), Depth::one);
    EXPECT_EQ(parse_depth("Infinity"), Depth::infinity);
    for (const char* const text : {"", "2", "-1", "00", "infinite"})
        EXPECT_FALSE(parse_depth(text)) << text;
}

TEST(Fields, Overwrite) {
    EXPECT_EQ(parse_overwrite("T"), true);
    EXPECT_EQ(parse_overwrite(" f"), false);
    EXPECT_FALSE(parse_overwrite("true"));
}

TEST(Fields, TimesHaveAMaximum) {
    constexpr seconds max{3600};
    EXPECT_EQ(parse_timeout("Second-60", max), seconds{60});
    EXPECT_EQ(parse_timeout("Infinite, Second-60", max), max);
    EXPECT_EQ(parse_timeout("Extend-1, second-60", max), seconds{60});
    EXPECT_EQ(parse_timeout("Second-4100000000", max), max);
    EXPECT_EQ(parse_timeout("Second-99999999999999999999999", max), max);
    EXPECT_EQ(parse_timeout("Second-0", max), seconds{1});
    for (const char* const text : {"", "Second-", "Second-x", "Second--5", "60", "Second-5x"})
        EXPECT_EQ(parse_timeout(text, max), max) << text;
}

TEST(Fields, LockTokens) {
    EXPECT_EQ(parse_lock_token("<urn:uuid:1>"), "urn:uuid:1");
    for (const char* const text : {"", "<>", "urn:uuid:1", "<urn:uuid:1"})
        EXPECT_FALSE(parse_lock_token(text)) << text;
}

std::string path_of(std::string_view reference, const BaseUri& place = {.authority = "host:8000"}) {
    const auto path = path_of_reference(reference, place);
    if (path) return *path;
    return path.error() == ReferenceFault::malformed ? "malformed" : "elsewhere";
}

TEST(References, LeadToPathsOfTheSameHost) {
    EXPECT_EQ(path_of("http://host:8000/a/b%20c"), "/a/b c");
    EXPECT_EQ(path_of("https://HOST:8000/a/"), "/a/");
    EXPECT_EQ(path_of("/a?x=1"), "/a");
    EXPECT_EQ(path_of("http://host:8000"), "/");
    EXPECT_EQ(path_of("http://host:80/a", {.authority = "host"}), "/a");
    EXPECT_EQ(path_of("https://host/a", {.authority = "host:443"}), "/a");
    EXPECT_EQ(path_of("/a/../b/./c"), "/b/c");
}

TEST(References, LeadNowhereElse) {
    for (const char* const text : {"http://other:8000/a", "http://host/a", "http://u@host:8000/a",
                                   "ftp://host:8000/a", "//other/a", "https://host:8000.evil/a"})
        EXPECT_EQ(path_of(text), "elsewhere") << text;
    for (const char* const text : {"", "a", "/a#b", "/%zz", "/../a", "/a%2fb", "/a%00"})
        EXPECT_EQ(path_of(text), "malformed") << text;
}

TEST(References, LieBehindThePrefix) {
    const BaseUri place{.authority = "host", .prefix = "/app"};
    EXPECT_EQ(path_of("http://host/app/a", place), "/a");
    for (const char* const text : {"/a", "/application/a", "/app"})
        EXPECT_EQ(path_of(text, place), "elsewhere") << text;
    EXPECT_EQ(path_of("/app/../a", place), "malformed");
}

}  // namespace
}  // namespace weir::dav
