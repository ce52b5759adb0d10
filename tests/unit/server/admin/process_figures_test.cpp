#include "server/metrics/process_figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>

#include "net/event_fd.h"

namespace weir::server {
namespace {

TEST(ProcessFigures, AreThoseOfThisProcess) {
    ProcessFigures figures;
    const auto read = figures.read({});
    EXPECT_GT(read.resident_bytes, 1u << 20u);
    EXPECT_GT(read.virtual_bytes, read.resident_bytes);
    EXPECT_GE(read.open_descriptors, 3u);
    EXPECT_GE(read.descriptors_max, read.open_descriptors);
    EXPECT_NEAR(read.start_unix_seconds, static_cast<double>(std::time(nullptr)), 60);
}

TEST(ProcessFigures, CountDescriptorsThatAreOpen) {
    ProcessFigures figures;
    const auto before = figures.read({}).open_descriptors;
    const net::EventFd more;
    EXPECT_EQ(figures.read({}).open_descriptors, before + 1);
}

TEST(ProcessFigures, HaveTheTimeOfOtherProcesses) {
    ProcessFigures figures;
    const double alone = figures.read({}).cpu_seconds;
    EXPECT_GT(figures.read({::getpid()}).cpu_seconds, alone);  // as if it were another
}

TEST(ProcessFigures, DoNotFallWhenAnotherProcessEnds) {
    ProcessFigures figures;
    const double with_another = figures.read({::getpid()}).cpu_seconds;
    EXPECT_GE(figures.read({}).cpu_seconds, with_another);
}

}  // namespace
}  // namespace weir::server
