#include "net/waiting/descriptor_set.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <algorithm>

#include "net/unique_fd.h"

namespace weir::net {
namespace {

constexpr int last = FD_SETSIZE - 1;

TEST(DescriptorSet, HasRoomForThoseBelowItsSize) {
    EXPECT_TRUE(DescriptorSet::has_room_for(0));
    EXPECT_TRUE(DescriptorSet::has_room_for(last));
    EXPECT_FALSE(DescriptorSet::has_room_for(FD_SETSIZE));
    EXPECT_FALSE(DescriptorSet::has_room_for(FD_SETSIZE + 1));
    EXPECT_FALSE(DescriptorSet::has_room_for(100 * FD_SETSIZE));
}

TEST(DescriptorSet, IsEmptyAtFirst) {
    const DescriptorSet set;
    for (int fd = 0; fd < FD_SETSIZE; ++fd) EXPECT_FALSE(set.has(fd)) << fd;
}

TEST(DescriptorSet, HasWhatWasPutInAndNoOther) {
    for (const int put : {0, 1, 63, 64, last - 1, last}) {
        DescriptorSet set;
        set.put(put, true);
        for (int fd = 0; fd < FD_SETSIZE; ++fd) EXPECT_EQ(set.has(fd), fd == put) << put;
        set.put(put, true);
        set.put(put, false);
        EXPECT_FALSE(set.has(put));
    }
}

TEST(DescriptorSet, IsWhatSelectTakesAndReturns) {
    const UniqueFd ready{::eventfd(1, EFD_CLOEXEC)};
    const UniqueFd never{::eventfd(0, EFD_CLOEXEC)};
    DescriptorSet asked;
    for (const auto* fd : {&ready, &never}) asked.put(fd->get(), true);
    DescriptorSet answered = asked;
    const int highest = std::max(ready.get(), never.get());
    EXPECT_EQ(::select(highest + 1, answered.bits(), nullptr, nullptr, nullptr), 1);
    EXPECT_TRUE(answered.has(ready.get()));
    EXPECT_FALSE(answered.has(never.get()));
    EXPECT_TRUE(asked.has(never.get()));
}

}  // namespace
}  // namespace weir::net
