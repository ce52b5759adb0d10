#include "supervisor/memory_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

namespace weir::supervisor {
namespace {

TEST(MemoryFile, IsReadAsOftenAsItIsWanted) {
    const std::string text(10'000, 'x');
    const auto file = make_memory_file("test", text);
    ASSERT_TRUE(file);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(read_memory_file(file.get()), text);
}

TEST(MemoryFile, IsNeverChanged) {
    const auto file = make_memory_file("test", "secret");
    ASSERT_TRUE(file);
    EXPECT_EQ(::pwrite(file.get(), "x", 1, 0), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(::ftruncate(file.get(), 0), -1);
    EXPECT_EQ(::ftruncate(file.get(), 100), -1);
    EXPECT_EQ(read_memory_file(file.get()), "secret");
}

}  // namespace
}  // namespace weir::supervisor
