#include "weir/tls/encrypted_cookies.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "support/read_cookie.h"

namespace weir::web {
namespace {

using tests::read_cookie;

const std::string first_key(32, 'a');
const std::string second_key(64, 'b');

struct Encrypted : ::testing::Test {
    EncryptedCookies cookies{{first_key}};

    std::string encrypt(std::string value, std::string name = "user") const {
        return cookies.encrypt({.name = std::move(name), .value = std::move(value)}).value;
    }
};

TEST_F(Encrypted, AreReadAsTheyWereWritten) {
    for (const std::string& value :
         {std::string{"ann"}, std::string{}, std::string{"a; b=\"c\"\r\n\0\xff", 12}})
        EXPECT_EQ(read_cookie(cookies, "x=1; user=" + encrypt(value) + "; y=2"), value);
    Response response;
    set_cookie(response, cookies.encrypt({.name = "user", .value = "a b"}));
    EXPECT_EQ(read_cookie(cookies, "other=1"), std::nullopt);
}

TEST_F(Encrypted, HideTheirValue) {
    const std::string text = encrypt(std::string(60, 'x'));
    EXPECT_NE(text, encrypt(std::string(60, 'x'))) << "each has a salt and a nonce of its own";
    // 24 bytes in front are 32 characters; a block of the cipher that repeats would show behind.
    EXPECT_NE(text.substr(32, 16), text.substr(48, 16));
    EXPECT_EQ(text.find("eHh4"), std::string::npos);
}

TEST_F(Encrypted, AreNotChanged) {
    const std::string text = encrypt("ann");
    ASSERT_EQ(text.size(), 58u);
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string other = text;
        other[i] = other[i] == 'A' ? 'Q' : 'A';
        EXPECT_EQ(read_cookie(cookies, "user=" + other), std::nullopt) << i;
        EXPECT_EQ(read_cookie(cookies, "user=" + text.substr(0, i)), std::nullopt) << i;
    }
    for (const std::string& more : {std::string{"A"}, std::string{"AAAA"}, std::string{"=="}})
        EXPECT_EQ(read_cookie(cookies, "user=" + text + more), std::nullopt) << more;
}

TEST_F(Encrypted, BelongToTheirName) {
    const std::string text = encrypt("1", "a");
    EXPECT_EQ(read_cookie(cookies, "a=" + text, "a"), "1");
    EXPECT_EQ(read_cookie(cookies, "b=" + text, "b"), std::nullopt);
}

TEST_F(Encrypted, KeysAreReplaced) {
    const EncryptedCookies newer{{second_key, first_key}};
    const EncryptedCookies newest{{second_key}};
    EXPECT_EQ(read_cookie(newer, "user=" + encrypt("ann")), "ann");
    EXPECT_EQ(read_cookie(newest, "user=" + encrypt("ann")), std::nullopt);
    const std::string text = newer.encrypt({.name = "user", .value = "bob"}).value;
    EXPECT_EQ(read_cookie(newest, "user=" + text), "bob");
    EXPECT_EQ(read_cookie(cookies, "user=" + text), std::nullopt);
}

/// Made by another implementation (Python's hmac, and AESGCM of its package cryptography): a key of
/// 32 "a", a salt of 12 "s", a nonce of 12 "n".
TEST_F(Encrypted, HaveTheFormOfThisVersion) {
    EXPECT_EQ(
        read_cookie(cookies, "user=c3Nzc3Nzc3Nzc3Nzbm5ubm5ubm5ubm5u6BuUxBbDyGNne1-Rzlrijr90vA"),
        "ann");
}

TEST_F(Encrypted, KeysAreLongSecrets) {
    EXPECT_THROW(EncryptedCookies{{}}, std::invalid_argument);
    EXPECT_THROW(EncryptedCookies{{std::string(31, 'a')}}, std::invalid_argument);
}

TEST_F(Encrypted, LengthsAreLimited) {
    const std::string longest(3029, 'x');  // 40 bytes more are 4,092 characters
    const Cookie cookie = cookies.encrypt({.name = "user", .value = longest});
    EXPECT_EQ(cookie.name.size() + cookie.value.size(), 4096u);
    EXPECT_EQ(read_cookie(cookies, "user=" + cookie.value), longest);
    EXPECT_THROW(encrypt(longest + "x"), std::length_error);
    EXPECT_THROW(encrypt(std::string(1'000'000, 'x')), std::length_error);
}

}  // namespace
}  // namespace weir::web
