#include "client/names.h"

#include <gtest/gtest.h>

namespace weir::web::detail {
namespace {

const Instant start{std::chrono::hours{1}};
const Addresses some{*net::Address::parse("127.0.0.1", 80)};

TEST(ClientNames, AreKeptForAWhile) {
    Names names;
    EXPECT_FALSE(names.kept("a", start));
    names.keep("a", some, start);
    EXPECT_EQ(names.kept("a", start + Names::kept_for - std::chrono::milliseconds{1}), some);
}

TEST(ClientNames, OneCallerRenewsAnOldOne) {
    Names names;
    names.keep("a", some, start);
    const Instant later = start + Names::kept_for;
    EXPECT_FALSE(names.kept("a", later));
    EXPECT_EQ(names.kept("a", later), some);
}

TEST(ClientNames, TheOldestMakesRoom) {
    Names names;
    for (std::size_t i = 0; i < Names::kept_max; ++i)
        names.keep(std::to_string(i), some, start + std::chrono::milliseconds{i});
    names.keep("1", some, start + std::chrono::seconds{10});  // no new one
    EXPECT_TRUE(names.kept("0", start));
    names.keep("new", some, start + std::chrono::seconds{11});
    EXPECT_FALSE(names.kept("0", start));
    EXPECT_TRUE(names.kept("1", start));
    EXPECT_TRUE(names.kept("new", start));
}

}  // namespace
}  // namespace weir::web::detail
