#include "upload/shared_mutex.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>

namespace weir::upload {
namespace {

TEST(SharedMutex, OfAProcessThatDiedGoesToTheNext) {
    auto mutex = SharedMutex::make();
    ASSERT_TRUE(mutex);
    const pid_t child = ::fork();
    if (child == 0) {
        mutex->lock();
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    for (int i = 0; i < 2; ++i) const std::scoped_lock lock{*mutex};
}

/// A byte says that the other process has it.
TEST(SharedMutex, IsOneForAllProcesses) {
    auto mutex = SharedMutex::make();
    ASSERT_TRUE(mutex);
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    auto lock = std::unique_lock{*mutex};
    const pid_t child = ::fork();
    if (child == 0) {
        const std::scoped_lock own{*mutex};
        ::_exit(::write(pipe[1], "b", 1) == 1 ? 0 : 1);
    }
    ASSERT_EQ(::write(pipe[1], "a", 1), 1);
    lock.unlock();
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    char order[2]{};
    ASSERT_EQ(::read(pipe[0], order, 2), 2);
    EXPECT_EQ(std::string(order, 2), "ab");
    ::close(pipe[0]);
    ::close(pipe[1]);
}

}  // namespace
}  // namespace weir::upload
