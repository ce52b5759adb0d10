#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>

#include "weir/web/await.h"

namespace weir::web {
namespace {

struct Counting final : detail::Job {
    explicit Counting(std::atomic<int>& of) : count{of} {}
    void run() noexcept override { ++count; }
    std::atomic<int>& count;
};

/// Waits for as many others as the latch says.
struct Meeting final : detail::Job {
    explicit Meeting(std::latch& of) : latch{of} {}
    void run() noexcept override { latch.arrive_and_wait(); }
    std::latch& latch;
};

TEST(WorkerThreads, DoAllJobsBeforeTheyEnd) {
    std::atomic<int> count{0};
    {
        Workers workers{3};
        for (int i = 0; i < 1000; ++i) workers.post(std::make_shared<Counting>(count));
    }
    EXPECT_EQ(count, 1000);
}

TEST(WorkerThreads, RunSideBySide) {
    std::latch all{4};
    Workers workers{4};
    for (int i = 0; i < 4; ++i) workers.post(std::make_shared<Meeting>(all));
}

TEST(WorkerThreads, AreAtLeastOne) {
    std::atomic<int> count{0};
    { Workers{0}.post(std::make_shared<Counting>(count)); }
    EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace weir::web
