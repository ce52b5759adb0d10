// Tests who may use a ring: the thread that enables it, if the kernel and the administrator allow
// it. And for what.

#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <functional>
#include <thread>

#include "net/mapping.h"
#include "net/ring/ring.h"

namespace weir::net {
namespace {

using ::testing::HasSubstr;

TEST(Ring, IsUsedByTheThreadThatEnablesIt) {
    Ring ring;
    if (const auto error = ring.open(4, 8, {})) GTEST_SKIP() << error.message();
    std::thread{[&ring] {
        EXPECT_FALSE(ring.enable());
        ring.no_operation(7);
        EXPECT_EQ(ring.wait(-1).front().about, 7u);
    }}.join();
}

/// The result of an operation that is none of Ring's.
int result_of(Ring& ring, io_uring_op opcode, unsigned flags) {
    ring.no_operation(7);
    const auto shared = Mapping::of(ring.fd(), sizeof(io_uring_sqe), IORING_OFF_SQES);
    auto& operation = *shared.at<io_uring_sqe>(0);
    operation.opcode = static_cast<std::uint8_t>(opcode);
    operation.flags = static_cast<std::uint8_t>(flags);
    return ring.wait(-1).front().result;
}

TEST(Ring, DoesNothingButWhatItIsThereFor) {
    for (const bool deferred : {false, true}) {
        const Ring::Features wanted{.deferred_work = deferred};
        Ring opens_files;
        if (const auto error = opens_files.open(4, 8, wanted)) GTEST_SKIP() << error.message();
        ASSERT_FALSE(opens_files.enable());
        EXPECT_EQ(result_of(opens_files, IORING_OP_OPENAT, 0), -EACCES);
        EXPECT_EQ(
            ::syscall(SYS_io_uring_register, opens_files.fd(), IORING_REGISTER_FILES, nullptr, 0),
            -1);
        EXPECT_EQ(errno, EACCES);

        Ring links_operations;
        ASSERT_FALSE(links_operations.open(4, 8, wanted));
        ASSERT_FALSE(links_operations.enable());
        EXPECT_EQ(result_of(links_operations, IORING_OP_NOP, IOSQE_IO_DRAIN), -EACCES);
    }
}

/// Runs `work` on a thread in which the system call `call` fails with `error`.
void without(long call, int error, const std::function<void()>& work) {
    std::thread{[&] {
        std::array<sock_filter, 4> program{
            sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1),
            sock_filter BPF_STMT(BPF_RET | BPF_K,
                                 SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)),
            sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
        const sock_fprog filter{program.size(), program.data()};
        ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
        work();
    }}.join();
}

TEST(Ring, SaysThatItIsForbidden) {
    without(SYS_io_uring_setup, EPERM, [] {
        const auto error = Ring{}.open(4, 8, {});
        EXPECT_EQ(error, std::errc::operation_not_permitted);
        EXPECT_THAT(error.message(), HasSubstr("forbidden"));
    });
}

TEST(Ring, SaysThatTheKernelHasNone) {
    without(SYS_io_uring_setup, ENOSYS, [] {
        const auto error = Ring{}.open(4, 8, {});
        EXPECT_EQ(error, std::errc::function_not_supported);
        EXPECT_THAT(error.message(), HasSubstr("has no io_uring"));
    });
}

TEST(Ring, SaysThatItMayNotBeAsked) {
    without(SYS_io_uring_register, EACCES, [] {
        const auto error = Ring{}.open(4, 8, {});
        EXPECT_EQ(error, std::errc::permission_denied);
    });
}

}  // namespace
}  // namespace weir::net
