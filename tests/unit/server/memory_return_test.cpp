#include "server/memory_return.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace weir::server {
namespace {

constexpr std::size_t block_bytes = 30'000;
constexpr std::size_t blocks = 2'000;

std::size_t resident_bytes() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::size_t>(::getpagesize());
}

TEST(MemoryReturn, GivesBackWhatACrowdHadOnceHalfOfItHasLeft) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's malloc keeps what is freed";
#endif
    Budget budget{std::uint64_t{1} << 30};
    MemoryReturn memory_return{budget};
    std::vector<std::unique_ptr<char[]>> crowd;
    for (std::size_t i = 0; i < blocks; ++i) {
        crowd.push_back(std::make_unique<char[]>(block_bytes));
        std::memset(crowd.back().get(), 1, block_bytes);
        budget.take(block_bytes);
    }
    memory_return.look();
    const std::size_t during = resident_bytes();
    // One in twenty stays, among them the last one: the C library gives back nothing by itself.
    for (std::size_t i = 0; i + 1 < blocks; ++i) {
        if (i % 20 == 0) continue;
        crowd[i].reset();
        budget.give_back(block_bytes);
        memory_return.look();
    }
    EXPECT_LT(resident_bytes(), during - blocks * block_bytes * 3 / 4);
}

}  // namespace
}  // namespace weir::server
