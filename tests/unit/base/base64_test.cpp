#include "base/bytes/base64.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Base64, EncodesWhatItDecodes) {
    EXPECT_EQ(base64_encoded("f"), "Zg==");
    EXPECT_EQ(base64_encoded("fo"), "Zm8=");
    EXPECT_EQ(base64_encoded("foo"), "Zm9v");
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(base64_decoded(base64_encoded(bytes)), bytes);
        bytes += static_cast<char>(i);
    }
}

TEST(Base64, OfUrlsHasOtherCharactersAndNoPadding) {
    EXPECT_EQ(base64url_encoded(""), "");
    EXPECT_EQ(base64url_encoded("f"), "Zg");
    EXPECT_EQ(base64url_encoded("fo"), "Zm8");
    EXPECT_EQ(base64url_encoded("\xfb\xff\xbf"), "-_-_");
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(base64url_decoded(base64url_encoded(bytes)), bytes);
        bytes += static_cast<char>(i);
    }
    for (const char* const wrong : {"Zg==", "Zh", "Z", "Zm9vZ", "+_-_", "Z g", "Zm9v="})
        EXPECT_FALSE(base64url_decoded(wrong)) << wrong;
}

}  // namespace
}  // namespace weir
