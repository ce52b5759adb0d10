#include "engines/threads/thread_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>

namespace weir::engines {
namespace {

TEST(ThreadGroup, WaitsForAll) {
    constexpr int count = 100;
    std::atomic<int> done{0};
    {
        ThreadGroup group;
        for (int i = 0; i < count; ++i) {
            std::move_only_function<void()> work = [&] { ++done; };
            ASSERT_FALSE(group.start(work));
        }
    }
    EXPECT_EQ(done, count);
}

TEST(ThreadGroup, DestroysTheWorkBeforeItCountsAsDone) {
    std::weak_ptr<int> owned_by_work;
    {
        ThreadGroup group;
        auto owned = std::make_shared<int>(1);
        owned_by_work = owned;
        std::move_only_function<void()> work = [owned = std::move(owned)] {};
        ASSERT_FALSE(group.start(work));
        EXPECT_FALSE(work);
    }
    EXPECT_TRUE(owned_by_work.expired());
}

TEST(ThreadGroup, GivesEachASmallStack) {
    std::size_t stack_bytes = 0;
    {
        ThreadGroup group;
        std::move_only_function<void()> work = [&] {
            pthread_attr_t attributes;
            ::pthread_getattr_np(::pthread_self(), &attributes);
            ::pthread_attr_getstacksize(&attributes, &stack_bytes);
            ::pthread_attr_destroy(&attributes);
        };
        ASSERT_FALSE(group.start(work));
    }
    EXPECT_GE(stack_bytes, 128u * 1024);
    EXPECT_LE(stack_bytes, 4u * 1024 * 1024);  // sanitizers add their own
}

}  // namespace
}  // namespace weir::engines
