// What enter() does without Landlock and seccomp, and what it says.

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <atomic>
#include <thread>

#include "net/unique_fd.h"
#include "sandbox/filter.h"
#include "unit/sandbox/in_child.h"

namespace weir::sandbox {
namespace {

struct Privileges : Sandboxed {};

/// True if /proc/PID/status then contains that.
bool has_status_after_entering(const Allowed& allowed, const char* line) {
    const net::UniqueFd status{::open("/proc/self/status", O_RDONLY)};
    enter(allowed);
    std::string text(8192, '\0');
    const auto size = ::pread(status.get(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(size));
    return text.contains(line);
}

TEST_F(Privileges, AreNotGained) {
    EXPECT_EQ(
        in_child([&] { return has_status_after_entering(allowed, "\nNoNewPrivs:\t1\n") ? 0 : 1; }),
        success);
}

TEST_F(Privileges, OfRootAreThoseToReadFiles) {
    const char* const left = ::geteuid() == 0
                                 ? "\nCapPrm:\t0000000000000006\nCapEff:\t0000000000000006\n"
                                 : "\nCapPrm:\t0000000000000000\n";
    EXPECT_EQ(in_child([&] { return has_status_after_entering(allowed, left) ? 0 : 1; }), success);
}

TEST_F(Privileges, LeaveNoCoreFile) {
    EXPECT_EQ(try_out([] {
                  rlimit limit{1, 1};
                  if (::getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
                  return limit.rlim_cur == 0 && limit.rlim_max == 0 ? 0 : 1;
              }),
              success);
}

TEST_F(Privileges, AreSaidToBeGivenUp) {
    EXPECT_EQ(in_child([&] {
                  const auto report = enter(allowed);
                  const bool named = has(report.on, "new privileges") &&
                                     has(report.on, "capabilities") && has(report.on, "core files");
                  return named && report.on.size() + report.off.size() == 5 ? 0 : 1;
              }),
              success);
}

TEST_F(Privileges, KeepFilesAndCallsIfThereAreThreads) {
    EXPECT_EQ(in_child([&] {
                  std::atomic<bool> done{false};
                  std::thread other{[&] { done.wait(false); }};
                  const auto report = enter(allowed);
                  done = true;
                  done.notify_all();
                  other.join();
                  const bool said = has(report.off, "files: the program has started threads") ||
                                    has(report.off, "files: a sanitizer");
                  const int opened = ::open("/etc/passwd", O_RDONLY);
                  return said && has(report.off, "system calls: ") && opened >= 0 ? 0 : 1;
              }),
              success);
}

/// A filter such as that of a container, under which weir must start nonetheless.
int refuse(std::initializer_list<long> numbers, int error) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    Program program{{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}};
    for (const long number : numbers) {
        program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(number)});
        program.push_back(
            {BPF_RET | BPF_K, 0, 0, 0x0005'0000 | static_cast<std::uint32_t>(error)});  // RET_ERRNO
    }
    program.push_back({BPF_RET | BPF_K, 0, 0, 0x7fff'0000});  // RET_ALLOW
    return install(program) ? 0 : 1;
}

TEST_F(Privileges, KeepAllFilesIfARuleCannotBeMade) {
    EXPECT_EQ(in_child([&] {
                  if (refuse({SYS_landlock_add_rule}, ENOMEM) != 0) return 2;
                  const auto report = enter(allowed);
                  const bool said =
                      has(report.off, "files: Landlock takes no rule: Cannot allocate memory") ||
                      has(report.off, "files: a sanitizer");
                  return said ? error_of(::open("/etc/passwd", O_RDONLY)) : 1;
              }),
              success);
}

TEST_F(Privileges, KeepWhatTheSystemHasNoLimitsFor) {
    const auto off_under = [&](int error, const char* files, const char* calls) {
        return in_child([&] {
            if (refuse({SYS_landlock_create_ruleset, SYS_seccomp}, error) != 0) return 2;
            const auto report = enter(allowed);
            const bool sanitized = has(report.off, "files: a sanitizer");
            return sanitized || (has(report.off, files) && has(report.off, calls)) ? 0 : 1;
        });
    };
    EXPECT_EQ(off_under(ENOSYS, "files: this kernel has no Landlock (5.13 has it)",
                        "system calls: this kernel has no seccomp filters"),
              success);
    EXPECT_EQ(off_under(EPERM, "files: Landlock is forbidden here: Operation not permitted",
                        "system calls: seccomp is forbidden here: Operation not permitted"),
              success);
    EXPECT_EQ(off_under(EOPNOTSUPP, "files: Landlock is switched off in this kernel",
                        "system calls: seccomp is forbidden here"),
              success);
}

}  // namespace
}  // namespace weir::sandbox
