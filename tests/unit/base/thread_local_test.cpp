#include "base/thread_local.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace weir {
namespace {

struct Counted {
    Counted() noexcept { ++there; }
    ~Counted() { --there; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    static inline std::atomic<int> there = 0;
};

TEST(ThreadLocal, IsTheSameInAThreadAndAnotherInAnother) {
    const Counted* const here = ThreadLocal<Counted>::get();
    ASSERT_NE(here, nullptr);
    EXPECT_EQ(ThreadLocal<Counted>::get(), here);
    std::jthread{[here] { EXPECT_NE(ThreadLocal<Counted>::get(), here); }}.join();
}

TEST(ThreadLocal, EndsWithItsThread) {
    ThreadLocal<Counted>::get();
    const int before = Counted::there;
    std::jthread{[before] {
        ThreadLocal<Counted>::get();
        EXPECT_EQ(Counted::there, before + 1);
    }}.join();
    EXPECT_EQ(Counted::there, before);
}

}  // namespace
}  // namespace weir
