#include "sandbox/calls.h"

#include <asm/termbits.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// tests/sandbox/calls_test.py runs every engine, and compares their calls with this table.

namespace weir::sandbox {
namespace {

using enum Needs;

#define WEIR_CALL(name) #name, SYS_##name

constexpr std::uint32_t whole = ~std::uint32_t{0};
constexpr std::uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

constexpr Check only_threads{
    .argument = 0, .mask = CLONE_THREAD | namespaces, .values = {CLONE_THREAD}};
constexpr Check no_namespaces{.argument = 0, .mask = namespaces};
constexpr Check not_executable{.argument = 2, .mask = PROT_EXEC};
constexpr Check of_streams{
    .argument = 1, .mask = whole, .values = {TCGETS, FIONBIO, FIONREAD, TIOCOUTQ}, .count = 4};
constexpr Check only_streams{
    .argument = 1, .mask = whole, .values = {SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC}};
constexpr Check names_and_parents_death{.argument = 0,
                                        .mask = whole,
                                        .values = {PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_VMA},
                                        .count = 3};
constexpr Check only_reading{.argument = 2, .mask = whole, .is_pointer = true};

// The calls for each request have no check. The kernel then remembers that these calls are allowed,
// and runs no filter for them (Linux 5.11).
constexpr Call allowed[] = {
    // connections
    {WEIR_CALL(recvfrom)},
    {WEIR_CALL(sendto)},
    {WEIR_CALL(sendmsg)},
    {WEIR_CALL(sendfile)},
    {WEIR_CALL(accept4)},
    {WEIR_CALL(accept)},
    {WEIR_CALL(shutdown)},
    {WEIR_CALL(getsockopt)},
    {WEIR_CALL(setsockopt)},
    {WEIR_CALL(listen)},
    {WEIR_CALL(close)},
    // waiting
    {WEIR_CALL(epoll_create1)},
    {WEIR_CALL(epoll_ctl)},
#ifdef SYS_epoll_wait  // newer architectures have the second form only, here and below
    {WEIR_CALL(epoll_wait)},
#endif
    {WEIR_CALL(epoll_pwait), seldom},
#ifdef SYS_poll
    {WEIR_CALL(poll)},
#endif
    {WEIR_CALL(ppoll), seldom},
    {WEIR_CALL(pselect6)},
    {WEIR_CALL(eventfd2)},
    {WEIR_CALL(timerfd_create)},
    {WEIR_CALL(timerfd_settime)},
    {WEIR_CALL(clock_nanosleep)},
    {WEIR_CALL(clock_gettime), seldom},  // for systems whose vDSO has no clock
    {WEIR_CALL(restart_syscall), seldom},
    // files
    {WEIR_CALL(openat2)},
    {WEIR_CALL(openat)},
    {WEIR_CALL(newfstatat)},
    {WEIR_CALL(readlinkat)},
    {WEIR_CALL(fstat), seldom},
    {WEIR_CALL(statx), seldom},
    {WEIR_CALL(fstatfs)},
    {WEIR_CALL(getdents64)},
    {WEIR_CALL(read)},
    {WEIR_CALL(lseek), seldom},  // certificates are read by stdio; a log takes a cut line back
    {WEIR_CALL(pread64)},
    {WEIR_CALL(write)},
    {WEIR_CALL(ftruncate), seldom},
    {WEIR_CALL(fcntl)},
    {WEIR_CALL(ioctl), every_engine, of_streams},
    {WEIR_CALL(inotify_init1)},
    {WEIR_CALL(inotify_add_watch)},
    {WEIR_CALL(inotify_rm_watch)},
#ifdef SYS_unlink  // the file of a unix socket
    {WEIR_CALL(unlink)},
#endif
    {WEIR_CALL(unlinkat), seldom},
    // uploads
    {WEIR_CALL(linkat), uploads},
    {WEIR_CALL(renameat2), uploads},
    {WEIR_CALL(fsync), uploads},
    // folders
    {WEIR_CALL(mkdirat), folders},
    {WEIR_CALL(copy_file_range), folders},
    {WEIR_CALL(fgetxattr), folders},
    {WEIR_CALL(fsetxattr), folders},
    {WEIR_CALL(fremovexattr), folders},
    // other servers
    {WEIR_CALL(socket), servers, only_streams},
    {WEIR_CALL(connect), servers},
    // memory
    {WEIR_CALL(brk)},
    {WEIR_CALL(mmap), every_engine, not_executable},
    {WEIR_CALL(mprotect), every_engine, not_executable},
    {WEIR_CALL(munmap)},
    {WEIR_CALL(mremap), seldom},
    {WEIR_CALL(madvise)},
    {WEIR_CALL(getrandom), seldom},
    // threads and signals
    {WEIR_CALL(clone), every_engine, only_threads},
    {WEIR_CALL(clone), processes, no_namespaces},
    {WEIR_CALL(set_robust_list)},
    {WEIR_CALL(rseq)},
    {WEIR_CALL(futex)},
    {WEIR_CALL(sched_getaffinity)},
    {WEIR_CALL(sched_setaffinity)},
    {WEIR_CALL(sched_yield), seldom},
    {WEIR_CALL(prctl), every_engine, names_and_parents_death},
    {WEIR_CALL(getpid)},
    {WEIR_CALL(gettid), seldom},
    {WEIR_CALL(tgkill), seldom},  // abort(3)
    {WEIR_CALL(rt_sigaction)},
    {WEIR_CALL(rt_sigprocmask)},
    {WEIR_CALL(rt_sigreturn)},
    {WEIR_CALL(rt_sigtimedwait)},
    {WEIR_CALL(sigaltstack), seldom},
    {WEIR_CALL(prlimit64), every_engine, only_reading},
    {WEIR_CALL(exit)},
    {WEIR_CALL(exit_group)},
    // processes
    {WEIR_CALL(getppid), processes},
    {WEIR_CALL(pidfd_open), processes},
    {WEIR_CALL(wait4), processes},
    {WEIR_CALL(kill), processes},
    // rings: each has restrictions of its own
    {WEIR_CALL(io_uring_setup), rings},
    {WEIR_CALL(io_uring_register), rings},
    {WEIR_CALL(io_uring_enter), rings},
    {WEIR_CALL(seccomp), rings},  // close_rings(): a further filter can only forbid more
};

constexpr Call hostile[] = {
    // run a program
    {WEIR_CALL(execve)},
    {WEIR_CALL(execveat)},
    // look into other processes
    {WEIR_CALL(ptrace)},
    {WEIR_CALL(process_vm_readv)},
    {WEIR_CALL(process_vm_writev)},
    {WEIR_CALL(pidfd_getfd)},
    // change the view that the process has of the system
    {WEIR_CALL(mount)},
    {WEIR_CALL(umount2)},
    {WEIR_CALL(move_mount)},
    {WEIR_CALL(open_tree)},
    {WEIR_CALL(fsopen)},
    {WEIR_CALL(pivot_root)},
    {WEIR_CALL(chroot)},
    {WEIR_CALL(setns)},
    {WEIR_CALL(unshare)},
    {WEIR_CALL(open_by_handle_at)},
    // reach into the kernel
    {WEIR_CALL(init_module)},
    {WEIR_CALL(finit_module)},
    {WEIR_CALL(delete_module)},
    {WEIR_CALL(kexec_load)},
    {WEIR_CALL(bpf)},
    {WEIR_CALL(perf_event_open)},
    {WEIR_CALL(userfaultfd)},
    {WEIR_CALL(add_key)},
    {WEIR_CALL(request_key)},
    {WEIR_CALL(keyctl)},
    {WEIR_CALL(reboot)},
};

#undef WEIR_CALL

}  // namespace

std::span<const Call> allowed_calls() noexcept { return allowed; }

std::span<const Call> hostile_calls() noexcept { return hostile; }

}  // namespace weir::sandbox
