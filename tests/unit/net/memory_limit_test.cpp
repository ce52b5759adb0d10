#include "net/system/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace weir::net {
namespace {

TEST(MemoryLimit, IsThatOfTheAddressesWhereThatIsLess) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer takes more addresses than there is memory";
#endif
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    const std::uint64_t unbound = memory_limit();
    ASSERT_GT(unbound, std::uint64_t{1} << 20);
    rlimit less = before;
    less.rlim_cur = unbound - 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
    EXPECT_EQ(memory_limit(), unbound - 4096);
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
}

}  // namespace
}  // namespace weir::net
