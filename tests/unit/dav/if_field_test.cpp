#include "dav/request/if_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace weir::dav {
namespace {

using testing::ElementsAre;

bool holds(std::string_view text, const std::set<std::string>& true_ones) {
    const auto field = IfField::parse(text);
    EXPECT_TRUE(field) << text;
    return field && field->hold([&](const std::string& resource, const auto& condition) {
        return true_ones.contains(resource + condition.text);
    });
}

TEST(IfFields, AreTrueIfAllOfOneListIsTrue) {
    EXPECT_TRUE(holds("(<a:1>)", {"a:1"}));
    EXPECT_FALSE(holds("(<a:1>)", {}));
    EXPECT_FALSE(holds(R"((<a:1> ["t"]))", {"a:1"}));
    EXPECT_TRUE(holds(R"((<a:1> ["t"]))", {"a:1", R"("t")"}));
    EXPECT_TRUE(holds(R"((<a:1>) (["t"]))", {R"("t")"}));
    EXPECT_TRUE(holds(R"((<a:1>)([W/"t"]))", {R"(W/"t")"}));
}

TEST(IfFields, MayNegate) {
    EXPECT_TRUE(holds("(Not <a:1>)", {}));
    EXPECT_FALSE(holds("(not <a:1> <a:2>)", {"a:1", "a:2"}));
    EXPECT_TRUE(holds("(<a:1>) (Not <DAV:no-lock>)", {}));
}

TEST(IfFields, MayNameResources) {
    EXPECT_TRUE(holds("</x> (<a:1>) (<a:2>) <http://h/y> (<a:3>)", {"http://h/ya:3"}));
    EXPECT_TRUE(holds("</x> (<a:1>) (<a:2>) <http://h/y> (<a:3>)", {"/xa:2"}));
    EXPECT_FALSE(holds("</x> (<a:1>)", {"a:1"}));
}

TEST(IfFields, SubmitTheTokensThatAreNotNegated) {
    const auto field = IfField::parse(R"(</x> (<a:1> Not <a:2> ["t"]) </y> (<a:3>))");
    ASSERT_TRUE(field);
    EXPECT_THAT(field->tokens(), ElementsAre("a:1", "a:3"));
}

TEST(IfFields, HaveTagsWithBrackets) { EXPECT_TRUE(holds(R"((["a])b"]))", {R"("a])b")"})); }

TEST(IfFields, AreRefusedIfMalformed) {
    for (const char* const text : {"",
                                   " ",
                                   "()",
                                   "(<a:1>",
                                   "<a:1>",
                                   "</x>",
                                   "</x> <a:1>",
                                   "(<a:1>) </x> (<a:2>)",
                                   "(<>)",
                                   "(Not)",
                                   "([t])",
                                   R"((["t]))",
                                   R"((["t))",
                                   "(<a 1>)",
                                   "(<a:1>) x",
                                   "[\"t\"]",
                                   "(<a:1>))",
                                   "</x>()",
                                   "(Not Not <a:1>)",
                                   "(\"t\")"})
        EXPECT_FALSE(IfField::parse(text)) << text;
}

TEST(IfFields, AreLimited) {
    std::string text;
    for (std::size_t i = 0; i < IfField::conditions_max; ++i) text += "(<a:1>)";
    EXPECT_TRUE(IfField::parse(text));
    EXPECT_FALSE(IfField::parse(text + "(<a:1>)"));
}

}  // namespace
}  // namespace weir::dav
