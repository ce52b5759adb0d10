#include "dav/properties/dead_properties.h"

#include <gtest/gtest.h>

#include "dav/properties/kept.h"
#include "weir/web/refusal.h"

namespace weir::dav {
namespace {

Name name(std::string local) { return {.space = "urn:x", .local = std::move(local)}; }

TEST(DeadProperty, SetsAreKeptAsTheyAre) {
    DeadProperties properties;
    properties.set(name("a"), "<a>1\n:2</a>");
    properties.set({.space = {}, .local = "b"}, "<b xmlns=\"\"/>");
    properties.set(name("a"), "<a>3</a>");
    const auto read = DeadProperties::from(properties.serialized());
    ASSERT_EQ(read.all().size(), 2u);
    EXPECT_EQ(read.find(name("a"))->xml, "<a>3</a>");
    EXPECT_EQ(read.find({.space = {}, .local = "b"})->xml, "<b xmlns=\"\"/>");
    EXPECT_EQ(read.find(name("b")), nullptr);
    properties.remove(name("a"));
    properties.remove(name("none"));
    EXPECT_EQ(properties.all().size(), 1u);
}

TEST(DeadProperty, SetsOfOthersAreNone) {
    DeadProperties properties;
    properties.set(name("a"), "<a/>");
    const std::string whole = properties.serialized();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto read = DeadProperties::from(whole.substr(0, size));
        EXPECT_TRUE(read.all().empty()) << size;
    }
    for (const char* const bytes : {"2\n", "1\nx", "1\n99999999999999999999:a\n", "1\n-1:a\n"})
        EXPECT_TRUE(DeadProperties::from(bytes).all().empty()) << bytes;
}

TEST(DeadProperty, SetsAreLimited) {
    DeadProperties properties;
    properties.set(name("a"), std::string(DeadProperties::property_bytes_max, 'x'));
    EXPECT_TRUE(properties.fit());
    properties.set(name("a"), std::string(DeadProperties::property_bytes_max + 1, 'x'));
    EXPECT_FALSE(properties.fit());
    properties.remove(name("a"));
    for (char local = 'a'; local < 'e'; ++local)
        properties.set(name({local}), std::string(DeadProperties::property_bytes_max, 'x'));
    EXPECT_FALSE(properties.fit());
    DeadProperties many;
    for (std::size_t i = 0; i <= DeadProperties::properties_max; ++i) {
        EXPECT_TRUE(many.fit()) << i;
        many.set(name("p" + std::to_string(i)), "<p/>");
    }
    EXPECT_FALSE(many.fit());
}

TEST(DeadProperty, SetsThatCannotBeReadAreNotNone) {
    EXPECT_THROW(read_properties(-1), web::Refusal);
}

}  // namespace
}  // namespace weir::dav
