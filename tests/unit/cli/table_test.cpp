#include "cli/help/table.h"

#include <gtest/gtest.h>

#include <array>

namespace weir::cli {
namespace {

constexpr std::array<std::size_t, 3> widths{3, 6, 5};

TEST(Table, PutsCellsBesideEachOther) {
    const std::vector<Row> rows{{"a", "b", "c"}, {"abc", "abcdef", "abcde"}};
    EXPECT_EQ(table(rows, widths),
              "a    b       c\n"
              "\n"
              "abc  abcdef  abcde\n");
}

TEST(Table, WrapsAtSpaces) {
    const std::vector<Row> rows{{"a", "one two three", "b c d"}, {"e", "one of", "b"}};
    EXPECT_EQ(table(rows, widths),
              "a    one     b c d\n"
              "     two\n"
              "     three\n"
              "\n"
              "e    one of  b\n");
}

TEST(Table, CutsNoWord) {
    const std::vector<Row> rows{{"a", "longer than that", "b"}};
    EXPECT_EQ(table(rows, widths),
              "a    longer  b\n"
              "     than\n"
              "     that\n");
}

TEST(Table, LeavesEmptyCellsEmpty) {
    const std::vector<Row> rows{{"a", "", "b"}};
    EXPECT_EQ(table(rows, widths), "a            b\n");
}

}  // namespace
}  // namespace weir::cli
