#include "rules/auth/known_digests.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace weir::rules {
namespace {

const Instant start{std::chrono::hours{1}};

TEST(SipHash, HasTheReferencesValues) {
    // The key and the first values of vectors.h of the reference implementation.
    const SipKey key{.first = 0x0706050403020100U, .second = 0x0f0e0d0c0b0a0908U};
    const auto bytes = [](const SipDigest& digest) {
        std::string text;
        for (const std::uint64_t word : digest)
            for (unsigned i = 0; i < 8; ++i) text += static_cast<char>(word >> (8 * i) & 0xffU);
        return text;
    };
    EXPECT_EQ(bytes(siphash(key, "")),
              "\xa3\x81\x7f\x04\xba\x25\xa8\xe6\x6d\xf6\x72\x14\xc7\x55\x02\x93");
    EXPECT_EQ(bytes(siphash(key, std::string_view{"\0", 1})),
              "\xda\x87\xc1\xd8\x6b\x99\xaf\x44\x34\x76\x59\x11\x9b\x22\xfc\x45");
}

TEST(SipHash, DependsOnEachByteAndOnTheKey) {
    const SipKey key{.first = 1, .second = 2};
    const std::string text = "user:a long password of many bytes";
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string other = text;
        other[i] ^= 1;
        EXPECT_NE(siphash(key, text), siphash(key, other));
    }
    EXPECT_NE(siphash(key, text), siphash({.first = 1, .second = 3}, text));
    EXPECT_NE(siphash(key, text), siphash({.first = 0, .second = 2}, text));
    EXPECT_NE(SipKey::random().first, SipKey::random().first);
}

TEST(KnownDigests, AreKnownForSomeTime) {
    KnownDigests known;
    const SipDigest digest{1, 2};
    EXPECT_FALSE(known.knows(digest, start));
    EXPECT_FALSE(known.knows({0, 0}, start)) << "an empty place is no digest";
    known.remember(digest, start);
    EXPECT_TRUE(known.knows(digest, start + KnownDigests::time - std::chrono::milliseconds{1}));
    EXPECT_FALSE(known.knows(digest, start + KnownDigests::time));
    EXPECT_FALSE(known.knows({1, 3}, start));
}

TEST(KnownDigests, TheLatestStay) {
    KnownDigests known;
    for (std::uint64_t i = 0; i < 5; ++i)
        known.remember({7, i}, start + std::chrono::seconds{static_cast<int>(i)});
    EXPECT_FALSE(known.knows({7, 0}, start));
    for (std::uint64_t i = 1; i < 5; ++i) EXPECT_TRUE(known.knows({7, i}, start));
}

}  // namespace
}  // namespace weir::rules
