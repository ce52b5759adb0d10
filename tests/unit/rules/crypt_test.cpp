#include "rules/auth/crypt.h"

#include <gtest/gtest.h>

#include "rules/auth/htpasswd.h"

namespace weir::rules {
namespace {

using namespace std::string_view_literals;

TEST(Crypt, KnowsTheHashesThatItMakes) {
    for (const std::string_view method : {"yescrypt", "bcrypt", "sha512", "sha256"}) {
        const auto hash = hash_of("open sesame", method);
        ASSERT_TRUE(hash.has_value()) << hash.error();
        EXPECT_EQ(refuse_hash(*hash), "") << *hash;
        EXPECT_TRUE(has_hash("open sesame", *hash)) << *hash;
        EXPECT_FALSE(has_hash("open sesamf", *hash)) << *hash;
    }
}

TEST(Crypt, KnowsHashesOfOthers) {
    // `openssl passwd -5 -salt saltstring`, and -6; `htpasswd -nbB -C 4`.
    const std::string sha256 = "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5";
    const std::string sha512 =
        "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEO"
        "faS35inz1";
    const std::string bcrypt = "$2y$04$9oM.oNDWyOZf.JLcYUpmm.ry/CJUiAmXTsRs2/rVpHEzcDuQ2sMCy";
    EXPECT_TRUE(has_hash("Hello world!", sha256));
    EXPECT_TRUE(has_hash("Hello world!", sha512));
    EXPECT_TRUE(has_hash("open sesame", bcrypt));
    EXPECT_FALSE(has_hash("Hello world", sha256));
    EXPECT_FALSE(has_hash("", bcrypt));
    EXPECT_FALSE(has_hash("open sesame\0x"sv, bcrypt)) << "libcrypt would see its beginning";
}

TEST(Crypt, SaltsAreRandom) {
    EXPECT_NE(hash_of("open sesame", "yescrypt"), hash_of("open sesame", "yescrypt"));
}

TEST(Crypt, RefusesWhatItCannotHash) {
    EXPECT_FALSE(hash_of("x", "md5").has_value());
    EXPECT_FALSE(hash_of(std::string(73, 'x'), "bcrypt").has_value());
    EXPECT_FALSE(hash_of(std::string(password_bytes_max + 1, 'x'), "sha256").has_value());
    EXPECT_FALSE(has_hash("x", "")) << "the hash of no user";
    EXPECT_FALSE(has_hash("x", "*0"));
}

}  // namespace
}  // namespace weir::rules
