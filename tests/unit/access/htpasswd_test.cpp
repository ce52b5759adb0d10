#include "access/password/htpasswd.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::access {
namespace {

const std::string bcrypt = "$2y$05$" + std::string(53, 'a');
const std::string sha512 = "$6$salt$" + std::string(86, 'a');

TEST(Htpasswd, HasUsersAndHashes) {
    const auto users = Users::parse("# people\nada:" + bcrypt + "\r\n\nbob b\xc3\xb6:" + sha512);
    ASSERT_TRUE(users.has_value()) << users.error();
    EXPECT_EQ(users->size(), 2u);
    ASSERT_NE(users->hash_of("ada"), nullptr);
    EXPECT_EQ(*users->hash_of("ada"), bcrypt);
    ASSERT_NE(users->hash_of("bob b\xc3\xb6"), nullptr);
    EXPECT_EQ(users->hash_of("bob"), nullptr);
    EXPECT_EQ(users->hash_of(""), nullptr);
    EXPECT_EQ(Users::parse("")->size(), 0u);
}

TEST(Htpasswd, AnUnknownUserIsComparedWithSomeHash) {
    const auto users = Users::parse("ada:" + bcrypt + "\nbob:" + sha512);
    std::set<const std::string*> hashes;
    for (std::uint64_t i = 0; i < 10; ++i) hashes.insert(users->any_hash(i));
    EXPECT_EQ(hashes.size(), 2u);
    EXPECT_FALSE(hashes.contains(nullptr));
    EXPECT_EQ(Users::parse("")->any_hash(7), nullptr);
}

TEST(Htpasswd, WhatIsWrongNamesItsLine) {
    const std::string good = "ada:" + bcrypt + '\n';
    const std::vector<std::pair<std::string, std::string>> wrong{
        {good + "bob", "line 2 is not of the form user:hash"},
        {":" + bcrypt, "line 1 has no user in front of its colon"},
        {std::string(256, 'a') + ":" + bcrypt, "line 1 has a user with more than 255 bytes"},
        {std::string{"a\tb:"} + bcrypt, "line 1 has a control character in its user"},
        {good + "\n" + good, "line 3 has the same user as line 1"},
        {"a:$apr1$x$y",
         "line 1 has an MD5 hash (apr1), which is too weak; make the line anew by "
         "`weir password`"},
        {"a:{SHA}x",
         "line 1 has a SHA-1 hash without salt, which is too weak; make the line anew "
         "by `weir password`"},
        {"a:secret",
         "line 1 has a plain password or a hash that weir does not know; make the line "
         "anew by `weir password`"},
        {"a:" + bcrypt + 'a',
         "line 1 has a hash that is cut or mistyped; make the line anew by "
         "`weir password`"},
    };
    for (const auto& [text, sentence] : wrong) {
        const auto users = Users::parse(text);
        ASSERT_FALSE(users.has_value()) << text;
        EXPECT_EQ(users.error(), sentence) << "and it does not quote the hash";
    }
}

TEST(Hashes, AreCheckedByTheirForm) {
    const std::string h43(43, 'a');
    const std::string h86(86, 'a');
    const std::string h53(53, 'a');
    for (const std::string& hash :
         {"$2a$04$" + h53, "$2b$16$" + h53, "$5$s$" + h43, "$5$rounds=1000$s$" + h43,
          "$6$./aZ09$" + h86, "$y$j9T$abc$" + h43, "$y$j9T$$" + h43})
        EXPECT_EQ(refuse_hash(hash), "") << hash;
    for (const std::string& hash :
         {"$2x$05$" + h53, "$2b$5$" + h53, "$2b$03$" + h53, "$2b$17$" + h53, "$2b$05$" + h43,
          "$5$$" + h43, "$5$s$" + h86, "$6$rounds=1$s$" + h86, "$6$rounds=99999999$s$" + h86,
          "$6$s\x01$" + h86, "$6$abcdefghijklmnopq$" + h86, "$y$$s$" + h43, "$y$j9T$s" + h43,
          "$7$" + h43, std::string{}})
        EXPECT_NE(refuse_hash(hash), "") << hash;
}

}  // namespace
}  // namespace weir::access
