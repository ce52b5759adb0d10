#include "http/answer/byte_ranges.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::http {
namespace {

/// Returns "0+100 200+50", "416", or "ignored".
std::string requested(std::string_view value, std::uint64_t size = 1000) {
    const auto ranges = requested_ranges(value, size);
    if (ranges.kind == RequestedRanges::Kind::ignored) return "ignored";
    if (ranges.kind == RequestedRanges::Kind::unsatisfiable) return "416";
    std::string text;
    for (const ByteRange range : ranges.all())
        text += (text.empty() ? "" : " ") + std::to_string(range.first) + "+" +
                std::to_string(range.size);
    return text;
}

TEST(ByteRanges, Single) {
    EXPECT_EQ(requested("bytes=0-99"), "0+100");
    EXPECT_EQ(requested("bytes=0-0"), "0+1");
    EXPECT_EQ(requested("bytes=999-"), "999+1");
    EXPECT_EQ(requested("bytes=500-"), "500+500");
    EXPECT_EQ(requested("bytes=0-"), "0+1000");
    EXPECT_EQ(requested("bytes=900-5000"), "900+100") << "cut to what is there";
    EXPECT_EQ(requested("Bytes=0-99"), "0+100") << "units have no case";
}

TEST(ByteRanges, Suffix) {
    EXPECT_EQ(requested("bytes=-1"), "999+1");
    EXPECT_EQ(requested("bytes=-1000"), "0+1000");
    EXPECT_EQ(requested("bytes=-5000"), "0+1000");
}

TEST(ByteRanges, SuffixOfNothingIsUnsatisfiable) { EXPECT_EQ(requested("bytes=-0"), "416"); }

TEST(ByteRanges, PastTheEndIsUnsatisfiable) {
    EXPECT_EQ(requested("bytes=1000-"), "416");
    EXPECT_EQ(requested("bytes=1000-1001"), "416");
    EXPECT_EQ(requested("bytes=1000-,-0,5000-6000"), "416");
}

TEST(ByteRanges, Several) {
    EXPECT_EQ(requested("bytes=0-9,20-29"), "0+10 20+10");
    EXPECT_EQ(requested("bytes=20-29, 0-9"), "20+10 0+10") << "in the order asked for";
    EXPECT_EQ(requested("bytes=0-0 ,\t-1"), "0+1 999+1");
    EXPECT_EQ(requested("bytes=,0-9,,20-29,"), "0+10 20+10") << "RFC 9110 5.6.1.2: empty members";
    EXPECT_EQ(requested("bytes=0-9,5000-"), "0+10") << "what is past the end falls away";
}

TEST(ByteRanges, SumsPast64BitsAreNoTrap) {
    EXPECT_EQ(requested("bytes=18446744073709551615-"), "416");
    EXPECT_EQ(requested("bytes=0-18446744073709551615"), "0+1000");
    EXPECT_EQ(requested("bytes=0-18446744073709551616"), "0+1000");
    EXPECT_EQ(requested("bytes=18446744073709551616-18446744073709551617"), "416");
    EXPECT_EQ(requested("bytes=-18446744073709551616"), "0+1000");
    EXPECT_EQ(requested("bytes=1-99999999999999999999999999"), "1+999");
    EXPECT_EQ(requested("bytes=0-,1-18446744073709551615"), "ignored") << "they overlap";
}

TEST(ByteRanges, MalformedIsIgnored) {
    for (const auto* const value :
         {"", "bytes", "bytes=", "bytes=-", "bytes=,", "bytes=a-b", "bytes=1", "bytes=9-0",
          "bytes=0-9,x", "bytes=0--1", "bytes=+1-2", "bytes= =1-2", "bytes =0-1", "bytes=0-9;20-29",
          "bytes=1-2-3", "bytes=0x0-1", "bytes=0 - 9", "items=0-9", "=0-9"})
        EXPECT_EQ(requested(value), "ignored") << value;
}

TEST(ByteRanges, OverlappingSetsAreIgnored) {
    EXPECT_EQ(requested("bytes=0-99,50-149"), "ignored");
    EXPECT_EQ(requested("bytes=0-,0-,0-"), "ignored");
    EXPECT_EQ(requested("bytes=0-9,10-19"), "0+10 10+10") << "side by side is no overlap";
}

/// Single bytes from `first` on, each `step` behind the last.
std::string singles(int count, int first, int step) {
    std::string value = "bytes=";
    for (int i = 0; i < count; ++i) {
        const std::string at = std::to_string(first + i * step);
        value.append(i == 0 ? "" : ",").append(at).append("-").append(at);
    }
    return value;
}

TEST(ByteRanges, ManyMayAscend) {
    for (const int count : {17, 255, 256}) {
        EXPECT_NE(requested(singles(count, 0, 3)), "ignored") << count;
        EXPECT_NE(requested(singles(count, 0, 1)), "ignored") << count << " side by side";
    }
    EXPECT_NE(requested(singles(255, 0, 3) + ",-1"), "ignored") << "the last is the last";
    EXPECT_NE(requested(singles(255, 0, 3) + ",5000-"), "ignored");
    EXPECT_EQ(requested(singles(257, 0, 3)), "ignored");
    EXPECT_EQ(requested(singles(256, 0, 3) + ",5000-"), "ignored")
        << "those past the end count as well";
    EXPECT_EQ(requested(singles(17, 0, 3) + ",50-60,60-70"), "ignored") << "an overlap";
    EXPECT_EQ(requested(singles(17, 0, 3) + ",x"), "ignored");
}

TEST(ByteRanges, AFewMayComeInAnyOrder) {
    EXPECT_NE(requested(singles(16, 900, -3)), "ignored") << "sixteen are allowed";
    EXPECT_EQ(requested(singles(17, 900, -3)), "ignored");
    EXPECT_EQ(requested(singles(16, 900, -3) + ",5000-"), "ignored");
    EXPECT_EQ(requested(singles(16, 100, 3) + ",-950"), "ignored") << "it begins before the others";
}

TEST(ByteRanges, OfNothingAreIgnored) {
    EXPECT_EQ(requested("bytes=0-", 0), "ignored");
    EXPECT_EQ(requested("bytes=-5", 0), "ignored");
}

}  // namespace
}  // namespace weir::http
