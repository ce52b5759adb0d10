#include "upload/conditions.h"

#include <gtest/gtest.h>

#include "conditions_of.h"

namespace weir::upload {
namespace {

/// Whether the conditions of the fields hold for a file with the tag "a" of 1994-11-06T08:49:37Z.
bool hold(const web::Probe::Fields& fields, bool is_there = true) {
    const Conditions::File file{.entity_tag = [] { return "\"a\""; }, .modified = 784'111'777};
    return conditions_of(fields).hold_for(is_there ? &file : nullptr);
}

TEST(Conditions, OfTagsHoldByComparison) {
    EXPECT_TRUE(hold({}));
    EXPECT_TRUE(hold({{"If-Match", "\"b\", \"a\""}}));
    EXPECT_TRUE(hold({{"If-Match", "\"b\""}, {"If-Match", "\"a\""}}));
    EXPECT_FALSE(hold({{"If-Match", "W/\"a\""}}));
    EXPECT_FALSE(hold({{"If-Match", "\"b\""}}));
    EXPECT_FALSE(hold({{"If-None-Match", "W/\"a\""}}));
    EXPECT_TRUE(hold({{"If-None-Match", "\"b\""}}));
}

TEST(Conditions, OfAnyFileAskWhetherThereIsOne) {
    EXPECT_TRUE(hold({{"If-Match", "*"}}));
    EXPECT_FALSE(hold({{"If-Match", "*"}}, false));
    EXPECT_FALSE(hold({{"If-None-Match", "*"}}));
    EXPECT_TRUE(hold({{"If-None-Match", "*"}}, false));
    EXPECT_FALSE(hold({{"If-Match", "\"a\""}}, false));
}

TEST(Conditions, OfDatesCountWithoutTags) {
    EXPECT_TRUE(hold({{"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}}));
    EXPECT_FALSE(hold({{"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT"}}));
    EXPECT_TRUE(hold({{"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT"}}, false));
    EXPECT_TRUE(hold({{"If-Unmodified-Since", "yesterday"}}));
    EXPECT_TRUE(
        hold({{"If-Match", "\"a\""}, {"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT"}}));
}

}  // namespace
}  // namespace weir::upload
