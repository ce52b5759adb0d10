#include "engines/processes/worker_reports.h"

#include <gtest/gtest.h>

namespace weir::engines::worker_reports {
namespace {

TEST(WorkerReports, OrdinalsAreEnglish) {
    EXPECT_EQ(ordinal(1), "1st");
    EXPECT_EQ(ordinal(2), "2nd");
    EXPECT_EQ(ordinal(3), "3rd");
    EXPECT_EQ(ordinal(4), "4th");
    EXPECT_EQ(ordinal(11), "11th");
    EXPECT_EQ(ordinal(12), "12th");
    EXPECT_EQ(ordinal(21), "21st");
    EXPECT_EQ(ordinal(113), "113th");
}

}  // namespace
}  // namespace weir::engines::worker_reports
