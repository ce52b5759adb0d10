#include "weir/access/signed_links.h"

#include <gtest/gtest.h>

#include "access/links/link_key.h"
#include "net/clock.h"
#include "temporary_file.h"
#include "weir/web/probe.h"

namespace weir::access {
namespace {

TEST(LinkClaims, AreReadStrictly) {
    const auto claim = LinkClaim::from("page=2&expires=17&x&signature=ab-_&");
    ASSERT_TRUE(claim.has_value());
    EXPECT_EQ(claim->expires, 17);
    EXPECT_EQ(claim->signature, "ab-_");
    for (const char* const query :
         {"", "expires=1", "signature=a", "expires=&signature=a",
          "expires=1&signature=", "expires=01&signature=a", "expires=-1&signature=a",
          "expires=+1&signature=a", "expires=1x&signature=a", "expires=1234567890123&signature=a",
          "expires=1&expires=1&signature=a", "expires=1&signature=a&signature=a",
          "Expires=1&signature=a", "xexpires=1&signature=a"})
        EXPECT_FALSE(LinkClaim::from(query).has_value()) << query;
}

/// The site behind it.
class Behind final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override { return http::Response{}; }
};

struct SignedLinks : ::testing::Test {
    TemporaryFile key;
    Behind behind;
    std::unique_ptr<http::Handler> asked;
    std::unique_ptr<web::Probe> probe;
    const std::int64_t now = net::read_clock().unix_seconds;

    SignedLinks() {
        key.write(std::string(32, 'k'));
        asked = ask_signatures(behind, {}, {{.glob = "/private", .key_file = key.path()}}).value();
        probe = std::make_unique<web::Probe>(*asked);
    }
    std::string link(std::string_view url, std::int64_t expires) {
        return sign_link(url, expires, key.path()).value();
    }
    unsigned status(std::string_view target) { return probe->get(target).status; }
};

TEST_F(SignedLinks, LetInUntilTheyExpire) {
    EXPECT_EQ(status(link("/private/a.txt", now + 1000)), 200u);
    EXPECT_EQ(status(link("/private/a.txt", now - 1)), 403u);
    EXPECT_EQ(status(link("/private/?sort=size", now + 1000)), 200u);
    EXPECT_EQ(status("/private/a.txt"), 403u);
    EXPECT_EQ(status("/public"), 200u);
}

TEST_F(SignedLinks, AreForOnePathAndOneTime) {
    const std::string good = link("/private/a.txt", now + 1000);
    const std::string query = good.substr(good.find('?'));
    EXPECT_EQ(status("/private/%61.txt" + query), 200u) << "it is the same path";
    for (const char* const path :
         {"/private/b.txt", "/private/A.txt", "/private/", "/PRIVATE/a.txt", "/private/a.txt.gz",
          "/private%2fa.txt", "/%zz"})
        EXPECT_EQ(status(path + query), 403u) << path;
    std::string later = good;
    later.replace(later.find("expires=") + 8, 1, "9");
    EXPECT_EQ(status(later), 403u);
    EXPECT_EQ(status(good + "a"), 403u);
    EXPECT_EQ(status(good.substr(0, good.size() - 1)), 403u);
    EXPECT_EQ(status(good + "&expires=1"), 403u);
}

TEST_F(SignedLinks, OfAnotherKeyAreRefused) {
    TemporaryFile other;
    other.write(std::string(32, 'o'));
    EXPECT_EQ(status(*sign_link("/private/a.txt", now + 1000, other.path())), 403u);
}

TEST_F(SignedLinks, KeepWhatElseTheUrlHas) {
    EXPECT_TRUE(link("https://example.org/a?b=c", 7)
                    .starts_with("https://example.org/a?b=c&expires=7&signature="));
    EXPECT_EQ(link("https://example.org/a", 7), "https://example.org" + link("/a", 7));
}

TEST_F(SignedLinks, WhatCannotBeSignedIsRefused) {
    for (const char* const url : {"", "a.txt", "https://example.org", "/a b", "/a#b",
                                  "/a?expires=1", "/../a", "/%zz", "/a%2fb"})
        EXPECT_FALSE(sign_link(url, 1, key.path()).has_value()) << url;
    key.write("short");
    EXPECT_NE(sign_link("/a", 1, key.path()).error().find("fewer than 32 bytes"),
              std::string::npos);
    EXPECT_FALSE(ask_signatures(behind, {}, {{.key_file = key.path()}}).has_value());
    EXPECT_FALSE(ask_signatures(behind, {}, {{.key_file = "/none"}}).has_value());
    EXPECT_EQ(sign_link("/a", 1, "/dev/null").error(), "/dev/null is no file, so it has no key");
}

}  // namespace
}  // namespace weir::access
