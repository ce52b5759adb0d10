#include "weir/web/signed_cookies.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"
#include "support/read_cookie.h"

namespace weir::web {
namespace {

using tests::read_cookie;

const std::string first_key(32, 'a');
const std::string second_key(64, 'b');

struct Signed : ::testing::Test {
    SignedCookies cookies{{first_key}};

    std::string sign(std::string value, std::string name = "user") const {
        return cookies.sign({.name = std::move(name), .value = std::move(value)}).value;
    }
};

TEST_F(Signed, AreReadAsTheyWereWritten) {
    for (const std::string& value :
         {std::string{"ann"}, std::string{}, std::string{"a; b=\"c\"\r\n\0\xff", 12}})
        EXPECT_EQ(read_cookie(cookies, "x=1; user=" + sign(value) + "; y=2"), value);
    Response response;
    const Cookie cookie = cookies.sign({.name = "user", .value = "a b", .path = "/x"});
    set_cookie(response, cookie);  // throws for a value that no cookie can have
    EXPECT_EQ(cookie.path, "/x");
    EXPECT_EQ(read_cookie(cookies, "other=1"), std::nullopt);
}

TEST_F(Signed, HaveTheFormOfThisVersion) {
    const Sha256 code = hmac_sha256(first_key, "weir signed cookie\nuser=YW5u");
    EXPECT_EQ(sign("ann"), "YW5u." + base64url_encoded(text_of(code)));
}

TEST_F(Signed, AreNotChanged) {
    const std::string text = sign("ann");
    ASSERT_EQ(text.size(), 4u + 1 + 43);
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string other = text;
        other[i] = other[i] == 'A' ? 'B' : 'A';
        EXPECT_EQ(read_cookie(cookies, "user=" + other), std::nullopt) << i;
        EXPECT_EQ(read_cookie(cookies, "user=" + text.substr(0, i)), std::nullopt) << i;
    }
    for (const std::string& other : {text + "A", text + "=", text + ".", std::string{"YW5u"},
                                     std::string{"."}, std::string{".."}, std::string{}})
        EXPECT_EQ(read_cookie(cookies, "user=" + other), std::nullopt) << other;
}

TEST_F(Signed, BelongToTheirName) {
    const std::string text = sign("1", "admin-no");
    EXPECT_EQ(read_cookie(cookies, "admin-no=" + text, "admin-no"), "1");
    EXPECT_EQ(read_cookie(cookies, "admin=" + text, "admin"), std::nullopt);
}

TEST_F(Signed, KeysAreReplaced) {
    const SignedCookies newer{{second_key, first_key}};
    const SignedCookies newest{{second_key}};
    EXPECT_EQ(read_cookie(newer, "user=" + sign("ann")), "ann");
    EXPECT_EQ(read_cookie(newest, "user=" + sign("ann")), std::nullopt);
    const std::string text = newer.sign({.name = "user", .value = "bob"}).value;
    EXPECT_EQ(read_cookie(newest, "user=" + text), "bob");
    EXPECT_EQ(read_cookie(cookies, "user=" + text), std::nullopt);
}

TEST_F(Signed, KeysAreLongSecrets) {
    EXPECT_THROW(SignedCookies{{}}, std::invalid_argument);
    EXPECT_THROW(SignedCookies{{std::string(31, 'a')}}, std::invalid_argument);
    EXPECT_THROW((SignedCookies{{first_key, "short"}}), std::invalid_argument);
}

TEST_F(Signed, LengthsAreLimited) {
    // 3,036 bytes are 4,048 characters.
    const std::string longest(3036, 'x');
    const Cookie cookie = cookies.sign({.name = "user", .value = longest});
    EXPECT_EQ(cookie.name.size() + cookie.value.size(), SignedCookies::bytes_max);
    EXPECT_EQ(read_cookie(cookies, "user=" + cookie.value), longest);
    EXPECT_THROW(sign(longest + "x"), std::length_error);
    EXPECT_THROW(sign(std::string(1'000'000, 'x')), std::length_error);
    // Such a cookie has the right signature, and is longer than sign() makes one.
    const std::string text = base64url_encoded(std::string(4000, 'x'));
    const Sha256 code = hmac_sha256(first_key, "weir signed cookie\nuser=" + text);
    EXPECT_EQ(read_cookie(cookies, "user=" + text + "." + base64url_encoded(text_of(code))),
              std::nullopt);
}

}  // namespace
}  // namespace weir::web
