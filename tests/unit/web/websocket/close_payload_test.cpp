#include "web/websocket/close_payload.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace weir::web::ws {
namespace {

std::string payload(unsigned code, std::string_view reason = {}) {
    std::string bytes{static_cast<char>(code >> 8U), static_cast<char>(code & 0xffU)};
    return bytes.append(reason);
}

TEST(ClosePayload, HasTheCodesThatMayBeSent) {
    for (unsigned code = 0; code < 0x10000; ++code) {
        const bool may = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                         (code >= 3000 && code <= 4999);
        ClosePayload said;
        const std::string bytes = payload(code, "why");
        ASSERT_EQ(read_close(bytes, said), may) << code;
        ASSERT_EQ(std::to_underlying(said.code), may ? code : 1002U);
        if (may) {
            EXPECT_EQ(said.reason, "why");
        }
    }
}

TEST(ClosePayload, MayBeEmptyButNotOneByte) {
    ClosePayload said;
    EXPECT_TRUE(read_close("", said));
    EXPECT_EQ(said.code, CloseCode::none);
    EXPECT_FALSE(read_close("\x03", said));
    EXPECT_EQ(said.code, CloseCode::protocol_error);
}

TEST(ClosePayload, HasAReasonInUtf8) {
    ClosePayload said;
    EXPECT_FALSE(read_close(payload(1000, "\xce\xba\xed\xa0\x80"), said));
    EXPECT_EQ(said.code, CloseCode::invalid_text);
}

TEST(ClosePayload, OfThisSideFitsIntoAControlFrame) {
    EXPECT_EQ(close_payload(CloseCode::normal, "bye"), payload(1000, "bye"));
    EXPECT_EQ(close_payload(CloseCode::none, "bye"), "");
    EXPECT_EQ(close_payload(CloseCode::normal, std::string(200, 'x')).size(), 125U);
    const std::string cut = close_payload(CloseCode::normal, std::string(122, 'x') + "\u00e4");
    EXPECT_EQ(cut, payload(1000, std::string(122, 'x'))) << "no half of a character";
}

}  // namespace
}  // namespace weir::web::ws
