#include "base/quoted.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Quoted, EscapesQuotesBackslashesAndControls) {
    std::string out = "name: ";
    append_quoted(out, "a\"b\\c\n\x7f\xc3\xa4");
    EXPECT_EQ(out, "name: \"a\\\"b\\\\c\\u000a\\u007f\xc3\xa4\"");
}

}  // namespace
}  // namespace weir
