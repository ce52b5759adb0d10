#include "net/system/cores.h"

#include <gtest/gtest.h>

#include <set>

namespace weir::net {
namespace {

std::set<int> cores_of_this_thread() {
    cpu_set_t cores;
    EXPECT_EQ(::sched_getaffinity(0, sizeof cores, &cores), 0);
    std::set<int> found;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &cores)) found.insert(core);
    return found;
}

TEST(Cores, AreThoseOfTheProcess) { EXPECT_EQ(count_cores(), cores_of_this_thread().size()); }

TEST(Cores, AreFewerWhereTheProcessMayUseFewer) {
    const PinnedToCore pinned{true, 0};
    EXPECT_EQ(count_cores(), 1U);
}

TEST(PinnedToCore, RunsOnOneCoreAndAfterwardsOnAll) {
    ASSERT_FALSE(check_pinning());
    const auto before = cores_of_this_thread();
    {
        const PinnedToCore pinned{true, 0};
        EXPECT_EQ(cores_of_this_thread(), std::set{*before.begin()});
    }
    EXPECT_EQ(cores_of_this_thread(), before);
}

TEST(PinnedToCore, CountsRoundThroughEveryCore) {
    const auto before = cores_of_this_thread();
    std::set<int> used;
    for (unsigned n = 0; n < before.size(); ++n) {
        const PinnedToCore pinned{true, n + static_cast<unsigned>(before.size())};
        used.merge(cores_of_this_thread());
    }
    EXPECT_EQ(used, before);
}

TEST(PinnedToCore, DoesNothingUnlessWanted) {
    const auto before = cores_of_this_thread();
    const PinnedToCore pinned{false, 0};
    EXPECT_EQ(cores_of_this_thread(), before);
}

}  // namespace
}  // namespace weir::net
