#include "client/names.h"

#include <gtest/gtest.h>

namespace weir::web::detail {
namespace {

const Instant start{std::chrono::hours{1}};
const Addresses some{*net::Address::parse("127.0.0.1", 80)};

upstream::Target server(const std::string& host, const std::string& scheme = "http") {
    return *upstream::parse_target(scheme + "://" + host);
}

std::string name(std::size_t number) { return "name-" + std::to_string(number); }

TEST(ClientNames, AreKeptForAWhile) {
    Names names;
    EXPECT_FALSE(names.kept(server("a"), start));
    names.keep(server("a"), some, start);
    EXPECT_EQ(names.kept(server("a"), start + Names::kept_for - std::chrono::milliseconds{1}),
              some);
}

TEST(ClientNames, OneCallerRenewsAnOldOne) {
    Names names;
    names.keep(server("a"), some, start);
    const Instant later = start + Names::kept_for;
    EXPECT_FALSE(names.kept(server("a"), later));
    EXPECT_EQ(names.kept(server("a"), later), some);
}

TEST(ClientNames, ThoseOfNoUseAreLookedUpAgainAfterAPause) {
    Names names;
    names.keep(server("a"), some, start);
    names.doubt(server("a"));
    EXPECT_EQ(names.kept(server("a"), start + Names::pause - std::chrono::milliseconds{1}), some);
    const Instant later = start + Names::pause;
    EXPECT_FALSE(names.kept(server("a"), later));
    EXPECT_EQ(names.kept(server("a"), later), some);
    names.doubt(server("a"));
    EXPECT_EQ(names.kept(server("a"), later), some);
}

TEST(ClientNames, LastAddressesStayAfterAFailure) {
    Names names;
    EXPECT_TRUE(names.last(server("a")).empty());
    names.keep(server("a"), some, start);
    EXPECT_FALSE(names.kept(server("a"), start + Names::kept_for));
    EXPECT_EQ(names.last(server("a")), some);
}

/// Their addresses have different ports.
TEST(ClientNames, OfHttpAndHttpsAreTwo) {
    Names names;
    names.keep(server("a"), some, start);
    EXPECT_FALSE(names.kept(server("a", "https"), start));
    EXPECT_FALSE(names.kept(server("a:8080"), start));
    EXPECT_EQ(names.kept(server("a:80"), start), some);
}

TEST(ClientNames, TheOldestMakesRoom) {
    Names names;
    for (std::size_t i = 0; i < Names::kept_max; ++i)
        names.keep(server(name(i)), some, start + std::chrono::milliseconds{i});
    names.keep(server(name(1)), some, start + std::chrono::seconds{10});  // no new one
    EXPECT_TRUE(names.kept(server(name(0)), start));
    names.keep(server("new"), some, start + std::chrono::seconds{11});
    EXPECT_FALSE(names.kept(server(name(0)), start));
    EXPECT_TRUE(names.kept(server(name(1)), start));
    EXPECT_TRUE(names.kept(server("new"), start));
}

}  // namespace
}  // namespace weir::web::detail
