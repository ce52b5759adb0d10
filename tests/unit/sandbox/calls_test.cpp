// What the seccomp filter forbids, and what it must still allow.

#include <linux/io_uring.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "sandbox/calls.h"
#include "sandbox/filter.h"
#include "unit/sandbox/in_child.h"

namespace weir::sandbox {
namespace {

struct Calls : Sandboxed {
    void SetUp() override { require("system calls"); }

    Ended call(long number, long first = 0, long second = 0, long third = 0) const {
        return try_out([=] { return error_of(::syscall(number, first, second, third)); });
    }
};

TEST_F(Calls, OfIntrudersEndTheProcess) {
    for (const Call& hostile : hostile_calls())
        EXPECT_EQ(call(hostile.number), dies_of(SIGSYS)) << hostile.name;
}

TEST_F(Calls, ThatNobodyMakesAreRefused) {
    for (const long number : {SYS_setuid, SYS_capset, SYS_sethostname, SYS_memfd_create,
                              SYS_socketpair, SYS_fchmod, SYS_renameat2, SYS_symlinkat, SYS_mkdirat,
                              SYS_mknodat, SYS_linkat, SYS_shmget, SYS_setsid})
        EXPECT_EQ(call(number), fails_with(EPERM)) << number;
}

TEST_F(Calls, ThatAreNewerAreUnknown) {
    EXPECT_EQ(call(SYS_clone3), fails_with(ENOSYS));
    EXPECT_EQ(call(600), fails_with(ENOSYS));
}

#ifdef __x86_64__
TEST_F(Calls, OfX32EndTheProcess) { EXPECT_EQ(call(0x4000'0000 | SYS_getpid), dies_of(SIGSYS)); }
#endif

TEST_F(Calls, StartThreadsAndNoProcesses) {
    const auto start_process = [] { return error_of(::fork()); };
    EXPECT_EQ(try_out(start_process), fails_with(EPERM));
    EXPECT_EQ(try_out([] {
                  std::thread{[] {}}.join();
                  return 0;
              }),
              success);
    allowed.processes = true;
    EXPECT_EQ(try_out([] { return in_child([] { return 7; }).number; }), fails_with(7));
}

TEST_F(Calls, StartNoNamespaces) {
    for (const bool processes : {false, true}) {
        allowed.processes = processes;
        EXPECT_EQ(call(SYS_clone, CLONE_NEWUSER | SIGCHLD), fails_with(EPERM));
    }
}

TEST_F(Calls, MakeNoMemoryExecutable) {
    EXPECT_EQ(try_out([] {
                  void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                  return memory == MAP_FAILED ? errno : 0;
              }),
              fails_with(EPERM));
    EXPECT_EQ(try_out([] {
                  void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                  return error_of(::mprotect(memory, 4096, PROT_READ | PROT_EXEC));
              }),
              fails_with(EPERM));
}

TEST_F(Calls, PutNoInputIntoATerminal) {
    EXPECT_EQ(call(SYS_ioctl, 0, TIOCSTI), fails_with(EPERM));
}

TEST_F(Calls, OfPrctlAreFew) {
    EXPECT_EQ(call(SYS_prctl, PR_SET_DUMPABLE, 1), fails_with(EPERM));
    EXPECT_EQ(call(SYS_prctl, PR_SET_PDEATHSIG, 0), success);
}

TEST_F(Calls, ReadLimitsAndSetNone) {
    rlimit limit{};
    EXPECT_EQ(try_out([&] { return error_of(::getrlimit(RLIMIT_NOFILE, &limit)); }), success);
    EXPECT_EQ(try_out([&] { return error_of(::setrlimit(RLIMIT_NOFILE, &limit)); }),
              fails_with(EPERM));
    // A pointer whose lower half is 0.
    EXPECT_EQ(try_out([&] {
                  return error_of(::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 1L << 32, nullptr));
              }),
              fails_with(EPERM));
}

TEST_F(Calls, OfRingsNeedAnEngineWithRings) {
    io_uring_params params{};
    EXPECT_EQ(call(SYS_io_uring_setup, 1, reinterpret_cast<long>(&params)), fails_with(EPERM));
    allowed.rings = true;
    EXPECT_NE(call(SYS_io_uring_setup, 1, reinterpret_cast<long>(&params)), fails_with(EPERM));
}

TEST_F(Calls, MakeNoFurtherRings) {
    allowed.rings = true;
    const auto after_closing = [&](long number, long first, long second) {
        return try_out([=] {
            close_rings();
            return error_of(::syscall(number, first, second, 0, 0));
        });
    };
    io_uring_params params{};
    EXPECT_EQ(after_closing(SYS_io_uring_setup, 1, reinterpret_cast<long>(&params)),
              fails_with(EPERM));
    EXPECT_EQ(after_closing(SYS_io_uring_register, -1, IORING_REGISTER_FILES), fails_with(EPERM));
    EXPECT_NE(after_closing(SYS_io_uring_register, -1, IORING_REGISTER_ENABLE_RINGS),
              fails_with(EPERM));
    EXPECT_EQ(after_closing(SYS_getpid, 0, 0), success);
}

TEST_F(Calls, AreLimitedForThreadsThatStartedBefore) {
    allowed.rings = true;
    EXPECT_EQ(try_out([] {
                  int error = 0;
                  std::atomic<bool> closed{false};
                  std::thread before{[&] {
                      closed.wait(false);
                      error = error_of(::syscall(SYS_io_uring_setup, 1, nullptr));
                  }};
                  close_rings();
                  closed = true;
                  closed.notify_all();
                  before.join();
                  return error;
              }),
              fails_with(EPERM));
}

// The kernel remembers that a call is allowed if its number alone decides (Linux 5.11): then the
// filter costs next to nothing.
TEST_F(Calls, OfEachRequestAreDecidedByTheirNumber) {
    for (const Call& each : allowed_calls())
        for (const std::string_view hot :
             {"recvfrom", "sendto", "sendmsg", "sendfile", "accept4", "close", "epoll_wait",
              "epoll_ctl", "poll", "read", "write", "futex", "openat2", "io_uring_enter"})
            EXPECT_TRUE(each.name != hot || each.check.mask == 0) << hot;
}

TEST_F(Calls, AreNamedOnceForEachNeed) {
    const auto calls = allowed_calls();
    for (const Call& one : calls)
        for (const Call& other : calls)
            EXPECT_TRUE(&one == &other || one.number != other.number || one.needs != other.needs)
                << one.name;
}

}  // namespace
}  // namespace weir::sandbox
