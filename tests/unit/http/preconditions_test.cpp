#include "http/answer/preconditions.h"

#include <gtest/gtest.h>

#include "unit/site/request_fixture.h"

namespace weir::http {
namespace {

using site::TestRequest;

constexpr std::int64_t modified = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT
constexpr std::int64_t now = 1'700'000'000;
constexpr Validators validators{"\"x\"", modified};

constexpr const char* earlier = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr const char* same = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* later = "Sun, 06 Nov 1994 08:49:38 GMT";

Verdict verdict(const std::vector<std::string>& fields, Validators of = validators) {
    const TestRequest request{"GET /", fields};
    return evaluate_preconditions(request.get(), of, now);
}

TEST(IfMatch, ComparesStrongly) {
    EXPECT_EQ(verdict({"If-Match: \"x\""}), Verdict::proceed);
    EXPECT_EQ(verdict({"If-Match: *"}), Verdict::proceed);
    EXPECT_EQ(verdict({"If-Match: \"a\", \"x\""}), Verdict::proceed);
    EXPECT_EQ(verdict({"If-Match: \"a\"", "If-Match: \"x\""}), Verdict::proceed);
    EXPECT_EQ(verdict({"If-Match: W/\"x\""}), Verdict::precondition_failed);
    EXPECT_EQ(verdict({"If-Match: \"a\""}), Verdict::precondition_failed);
    EXPECT_EQ(verdict({"If-Match: x"}), Verdict::precondition_failed);
}

TEST(IfNoneMatch, ComparesWeakly) {
    EXPECT_EQ(verdict({"If-None-Match: \"x\""}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-None-Match: W/\"x\""}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-None-Match: *"}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-None-Match: \"a\""}), Verdict::proceed);
}

TEST(IfNoneMatch, OverTwoLines) {
    EXPECT_EQ(verdict({"If-None-Match: \"a\"", "If-None-Match: \"x\""}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-None-Match: \"x\"", "If-None-Match: \"a\""}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-None-Match: \"a\"", "If-None-Match: \"b\""}), Verdict::proceed);
}

TEST(IfModifiedSince, ComparesDates) {
    EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + same}), Verdict::not_modified);
    EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + later}), Verdict::not_modified);
    EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + earlier}), Verdict::proceed);
}

TEST(IfModifiedSince, AllThreeDateForms) {
    EXPECT_EQ(verdict({"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"}), Verdict::not_modified);
    EXPECT_EQ(verdict({"If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"}),
              Verdict::not_modified);
    EXPECT_EQ(verdict({"If-Modified-Since: Sun Nov  6 08:49:37 1994"}), Verdict::not_modified);
}

TEST(IfModifiedSince, AnInvalidDateIsIgnored) {
    for (const auto* const date : {"yesterday", "Sun, 06 Nov 1994 08:49:37", "", "784111777",
                                   "Sun, 06 Nov 1994 25:49:37 GMT"})
        EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + date}), Verdict::proceed) << date;
}

TEST(IfModifiedSince, TwoLinesAreIgnored) {
    EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + same,
                       std::string{"If-Modified-Since: "} + same}),
              Verdict::proceed);
}

TEST(IfUnmodifiedSince, ComparesDates) {
    EXPECT_EQ(verdict({std::string{"If-Unmodified-Since: "} + earlier}),
              Verdict::precondition_failed);
    EXPECT_EQ(verdict({std::string{"If-Unmodified-Since: "} + same}), Verdict::proceed);
    EXPECT_EQ(verdict({"If-Unmodified-Since: never"}), Verdict::proceed);
}

TEST(Preconditions, WithoutADateNoneIsCompared) {
    const Validators dateless{"\"x\"", std::nullopt};
    EXPECT_EQ(verdict({std::string{"If-Modified-Since: "} + later}, dateless), Verdict::proceed);
    EXPECT_EQ(verdict({std::string{"If-Unmodified-Since: "} + earlier}, dateless),
              Verdict::proceed);
}

TEST(Preconditions, FailedComesBeforeNotModified) {
    EXPECT_EQ(verdict({"If-None-Match: \"x\"", "If-Match: \"a\""}), Verdict::precondition_failed);
    EXPECT_EQ(verdict({"If-None-Match: \"x\"", std::string{"If-Unmodified-Since: "} + earlier}),
              Verdict::precondition_failed);
}

TEST(Preconditions, TagsComeBeforeDates) {
    EXPECT_EQ(verdict({"If-None-Match: \"a\"", std::string{"If-Modified-Since: "} + later}),
              Verdict::proceed);
    EXPECT_EQ(verdict({"If-Match: \"x\"", std::string{"If-Unmodified-Since: "} + earlier}),
              Verdict::proceed);
}

bool current(const std::string& if_range, std::int64_t at = now, Validators of = validators) {
    const TestRequest request{"GET /", {"Range: bytes=0-1", "If-Range: " + if_range}};
    return range_is_current(request.get(), of, at);
}

TEST(IfRange, MissingMeansCurrent) {
    const TestRequest request{"GET /", {"Range: bytes=0-1"}};
    EXPECT_TRUE(range_is_current(request.get(), validators, now));
}

TEST(IfRange, TagIsComparedStrongly) {
    EXPECT_TRUE(current("\"x\""));
    EXPECT_FALSE(current("W/\"x\""));
    EXPECT_FALSE(current("\"a\""));
    EXPECT_FALSE(current("\"a\", \"x\"")) << "one tag, no list";
    EXPECT_FALSE(current("*"));
}

TEST(IfRange, AWeakTagOfTheFileNeverMatches) {
    constexpr Validators weak{"W/\"x\"", modified};
    EXPECT_FALSE(current("W/\"x\"", now, weak));
    EXPECT_FALSE(current("\"x\"", now, weak));
    EXPECT_EQ(verdict({"If-Match: W/\"x\""}, weak), Verdict::precondition_failed);
    EXPECT_EQ(verdict({"If-Match: *"}, weak), Verdict::proceed);
    EXPECT_EQ(verdict({"If-None-Match: W/\"x\""}, weak), Verdict::not_modified);
}

TEST(IfRange, DateIsComparedExactly) {
    EXPECT_TRUE(current(same));
    EXPECT_FALSE(current(earlier));
    EXPECT_FALSE(current(later));
    EXPECT_FALSE(current("soon"));
    EXPECT_FALSE(current(same, now, {"\"x\"", std::nullopt}));
}

TEST(IfRange, DateCountsOnceItsSecondIsOver) {
    EXPECT_FALSE(current(same, modified));
    EXPECT_TRUE(current(same, modified + 1));
}

}  // namespace
}  // namespace weir::http
