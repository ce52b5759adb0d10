#include "base/of_thread.h"

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

TEST(OfThread, IsTheSameInAThreadAndAnotherInAnother) {
    const Counted* const here = OfThread<Counted>::get();
    ASSERT_NE(here, nullptr);
    EXPECT_EQ(OfThread<Counted>::get(), here);
    std::jthread{[here] { EXPECT_NE(OfThread<Counted>::get(), here); }}.join();
}

TEST(OfThread, EndsWithItsThread) {
    OfThread<Counted>::get();
    const int before = Counted::there;
    std::jthread{[before] {
        OfThread<Counted>::get();
        EXPECT_EQ(Counted::there, before + 1);
    }}.join();
    EXPECT_EQ(Counted::there, before);
}

}  // namespace
}  // namespace weir
