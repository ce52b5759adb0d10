// HPACK: the examples of RFC 7541, appendix C, and what is malformed.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "http/hpack/decoder.h"
#include "http/hpack/huffman.h"

namespace weir::http::hpack {
namespace {

struct Listed final : FieldVisitor {
    std::vector<std::string> fields;
    void field(std::string_view name, std::string_view value, bool) override {
        fields.push_back(std::string{name} + ": " + std::string{value});
    }
};

std::string from_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        const auto digit = [&](std::size_t at) {
            const char c = digits[at];
            return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
        };
        bytes += static_cast<char>(digit(i) * 16 + digit(i + 1));
    }
    return bytes;
}

using Fields = std::vector<std::string>;

/// What the decoder makes of a section; "malformed" alone where it is.
Fields decoded(Decoder& decoder, std::string_view hex) {
    Listed listed;
    return decoder.decode(from_hex(hex), listed) ? listed.fields : Fields{"malformed"};
}

Fields decoded(std::string_view hex) {
    Decoder decoder;
    return decoded(decoder, hex);
}

TEST(Hpack, ReadsEachWayToWriteAField) {
    EXPECT_EQ(decoded("400a637573746f6d2d6b65790d637573746f6d2d686561646572"),
              Fields{"custom-key: custom-header"});                                     // C.2.1
    EXPECT_EQ(decoded("040c2f73616d706c652f70617468"), Fields{":path: /sample/path"});  // C.2.2
    EXPECT_EQ(decoded("100870617373776f726406736563726574"), Fields{"password: secret"});
    EXPECT_EQ(decoded("82"), Fields{":method: GET"});
}

TEST(Hpack, ReadsRequestsThatShareATable) {  // C.4
    Decoder decoder;
    EXPECT_EQ(decoded(decoder, "828684418cf1e3c2e5f23a6ba0ab90f4ff"),
              (Fields{":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"}));
    EXPECT_EQ(decoded(decoder, "828684be5886a8eb10649cbf"),
              (Fields{":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com",
                      "cache-control: no-cache"}));
    EXPECT_EQ(decoded(decoder, "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"),
              (Fields{":method: GET", ":scheme: https", ":path: /index.html",
                      ":authority: www.example.com", "custom-key: custom-value"}));
}

TEST(Hpack, ATableOfTheLargestSizeForgetsItsOldest) {
    Decoder decoder;
    // 100 fields of "a: <94 bytes>", each of 127 bytes with its overhead: 32 of them fit.
    const std::string value(94, 'v');
    for (int i = 0; i < 100; ++i) {
        Listed listed;
        std::string number = std::to_string(i);
        number.resize(94, 'v');
        const std::string block = std::string{"\x40\x01"} + "a" + "\x5e" + number;
        ASSERT_TRUE(decoder.decode(block, listed));
    }
    Listed newest, oldest;
    ASSERT_TRUE(decoder.decode("\xbe", newest));  // 62
    EXPECT_TRUE(newest.fields.at(0).starts_with("a: 99v"));
    ASSERT_TRUE(decoder.decode("\xdd", oldest));  // 62 + 31
    EXPECT_TRUE(oldest.fields.at(0).starts_with("a: 68v"));
    EXPECT_FALSE(decoder.decode("\xde", oldest));
}

TEST(Hpack, ANameOfTheTableServesItsOwnSuccessor) {
    Decoder decoder;
    EXPECT_EQ(decoded(decoder,
                      "40016101"
                      "62"),
              Fields{"a: b"});
    for (int i = 0; i < 500; ++i) EXPECT_EQ(decoded(decoder, "7e0163"), Fields{"a: c"});
}

TEST(Hpack, AFieldThatIsTooLargeEmptiesTheTable) {
    Decoder decoder;
    EXPECT_EQ(decoded(decoder, "4001610162"), Fields{"a: b"});
    Listed listed;
    const std::string large =
        std::string{"\x40\x01"} + "a" + "\x7f\x81\x1f" + std::string(4096, 'x');
    EXPECT_TRUE(decoder.decode(large, listed));
    EXPECT_EQ(decoded(decoder, "be"), Fields{"malformed"});
}

TEST(Hpack, ATableThatIsMadeSmallerForgets) {
    Decoder decoder;
    EXPECT_EQ(decoded(decoder, "4001610162"), Fields{"a: b"});
    EXPECT_EQ(decoded(decoder, "be"), Fields{"a: b"});
    EXPECT_EQ(decoded(decoder, "203fe11f"), Fields{});  // to 0, and to 4096 again
    EXPECT_EQ(decoded(decoder, "be"), Fields{"malformed"});
}

TEST(Hpack, WhatIsMalformedIsSaidToBe) {
    for (const std::string_view hex : {
             "80",                // index 0
             "be",                // an empty table's first
             "ff80808080808001",  // a number without an end
             "ffffffffff0f",      // one that is too large
             "7f",                // a number that is cut
             "40",                // a field without a name
             "40026161",          // a name without a value
             "400361",            // a name that is cut
             "4001610561",        // a value that is cut
             "8220",              // a size behind a field
             "3fe21f",            // a size of 4097
             "0085f2b24a87ffff",  // padding of eight bits
             "000181"
             "f8"
             "00",  // padding that is not of ones
             "0084ffffffff"
             "00",  // the end-of-string symbol
         })
        EXPECT_EQ(decoded(hex), Fields{"malformed"}) << hex;
}

TEST(Hpack, EveryByteHasACode) {
    // The code is canonical: what is decoded from it, bit by bit, is each byte once.
    std::array<bool, 256> seen{};
    std::uint32_t code = 0;
    for (unsigned bits = 1; bits <= 30; ++bits, code <<= 1)
        for (unsigned symbol = 0; symbol < 256; ++symbol) {
            if (huffman_bits[symbol] != bits) continue;
            // Padded with ones to whole bytes.
            const unsigned size = (bits + 7) / 8;
            const std::uint64_t padded =
                (std::uint64_t{code} << (8 * size - bits)) | ((1u << (8 * size - bits)) - 1);
            std::string text;
            for (unsigned i = size; i-- != 0;) text += static_cast<char>(padded >> (8 * i) & 0xff);
            std::array<char, 16> decoded{};
            const char* const end = decode_huffman(text, decoded.data());
            ASSERT_EQ(end, decoded.data() + 1) << symbol;
            EXPECT_EQ(static_cast<unsigned char>(decoded[0]), symbol);
            seen[symbol] = true;
            ++code;
        }
    for (const bool one : seen) EXPECT_TRUE(one);
}

}  // namespace
}  // namespace weir::http::hpack
