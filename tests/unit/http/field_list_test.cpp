#include "http/syntax/field_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::http {
namespace {

using testing::ElementsAre;

std::vector<std::string> elements(std::string_view list) {
    std::vector<std::string> found;
    for_each_element(list, [&](std::string_view each) { found.emplace_back(each); });
    return found;
}

std::vector<std::string> members(std::string_view list) {
    std::vector<std::string> found;
    for_each_member(list, [&](std::string_view each) { found.emplace_back(each); });
    return found;
}

TEST(FieldList, ElementsAreTrimmed) {
    EXPECT_THAT(elements("a"), ElementsAre("a"));
    EXPECT_THAT(elements(" a ,\tb,c d "), ElementsAre("a", "b", "c d"));
}

TEST(FieldList, EmptyElementsAreElementsButNoMembers) {
    EXPECT_THAT(elements(""), ElementsAre(""));
    EXPECT_THAT(elements("a, ,b,"), ElementsAre("a", "", "b", ""));
    EXPECT_THAT(members("a, ,b,"), ElementsAre("a", "b"));
    EXPECT_THAT(members(" , "), ElementsAre());
}

TEST(FieldList, CommaInQuotesSeparatesNothing) {
    EXPECT_THAT(elements(R"(a;x="1,2", b)"), ElementsAre(R"(a;x="1,2")", "b"));
    EXPECT_THAT(elements(R"("a\",b",c)"), ElementsAre(R"("a\",b")", "c"));
    EXPECT_THAT(elements(R"(a,"b)"), ElementsAre("a", "\"b"));
    EXPECT_THAT(elements(R"("a,b)"), ElementsAre("\"a,b"));
    EXPECT_THAT(elements("\"a\\"), ElementsAre("\"a\\"));
}

}  // namespace
}  // namespace weir::http
