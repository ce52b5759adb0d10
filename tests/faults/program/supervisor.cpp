// fault_supervisor ORDERS EXEMPT LIBRARY PROGRAM [argument...]: runs a program, and lets a call of it
// fail. ORDERS is a file that holds struct Orders; EXEMPT the numbers of the system calls that are
// never failed or counted, with commas between them; LIBRARY is that of allocations.cpp.
//
// The kernel asks here before each other system call of the program and of all its descendants
// (seccomp_unotify(2)): it is made, or it returns an error without being made. Nothing in the program
// is prepared for that, so a call is covered from the day that it appears. The calls of the loader
// and of a sanitizer's runtime are made as they come: they are told by the address that they come
// from.

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "faults/program/callers.h"
#include "faults/program/orders.h"
#include "faults/program/short_transfer.h"
#include "faults/program/variants.h"

namespace {

using weir::tests::Callers;
using weir::tests::Orders;

[[noreturn]] void fail(const char* what) {
    std::perror(what);
    ::_exit(125);
}

Orders* map_orders(const char* path) {
    const int file = ::open(path, O_RDWR);
    if (file < 0) fail(path);
    if (::dup2(file, weir::tests::orders_descriptor) < 0) fail("dup2");
    ::close(file);
    void* const memory = ::mmap(nullptr, sizeof(Orders), PROT_READ | PROT_WRITE, MAP_SHARED,
                                weir::tests::orders_descriptor, 0);
    if (memory == MAP_FAILED) fail("mmap");
    return static_cast<Orders*>(memory);
}

/// Where the child leaves the number of the filter's listener: from the filter on, it makes no call
/// that is not answered.
std::atomic<int>* make_handover() {
    void* const memory = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    return new (memory) std::atomic<int>{-1};
}

sock_filter load(std::uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }

std::vector<sock_filter> filter_without(std::string_view exempt) {
    constexpr std::uint32_t number_at = offsetof(seccomp_data, nr);
    std::vector<sock_filter> filter{load(number_at)};
    while (!exempt.empty()) {
        std::uint32_t number = 0;
        const auto [end, error] =
            std::from_chars(exempt.data(), exempt.data() + exempt.size(), number);
        if (error != std::errc{}) fail("EXEMPT");
        exempt.remove_prefix(static_cast<std::size_t>(end - exempt.data()));
        if (!exempt.empty()) exempt.remove_prefix(1);
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
    return filter;
}

[[noreturn]] void become(char** program, const char* library, std::vector<sock_filter> filter,
                         std::atomic<int>& listener) {
    ::setenv("LD_PRELOAD", library, 1);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setsid();
    // What it executes later has the same map of addresses, by which Callers tells who calls.
    ::personality(ADDR_NO_RANDOMIZE);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("PR_SET_NO_NEW_PRIVS");
    const sock_fprog whole{static_cast<unsigned short>(filter.size()), filter.data()};
    // Once the supervisor has looked at a call, only death interrupts it: no call fails with EINTR
    // that would not without all this.
    constexpr unsigned flags =
        SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    const long descriptor = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole);
    if (descriptor < 0) fail("seccomp");
    listener = static_cast<int>(descriptor);
    ::execv(program[0], program);
    fail(program[0]);
}

/// Both have one table of descriptors until the child becomes the program: so the parent has the
/// listener too.
pid_t fork_with_descriptors() {
    const long pid =
        ::syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (pid < 0) fail("clone");
    return static_cast<pid_t>(pid);
}

int await_listener(pid_t child, const std::atomic<int>& listener) {
    while (listener < 0) {
        if (::waitpid(child, nullptr, WNOHANG) != 0) ::_exit(125);
        ::sched_yield();
    }
    return listener;
}

/// Whether it is this call that is to fail.
bool is_struck(const seccomp_notif& asked, Callers& callers, Orders& orders) {
    if (orders.started == 0) return false;
    const auto process = static_cast<pid_t>(asked.pid);
    if (callers.is_exempt(process, asked.data.instruction_pointer)) return false;
    if (asked.data.nr == SYS_listen) orders.note_listening();
    return orders.fails(static_cast<std::uint32_t>(asked.data.nr) * Orders::variants +
                        weir::tests::variant_of(asked));
}

seccomp_notif_resp answer_to(const seccomp_notif& asked, Callers& callers, Orders& orders) {
    seccomp_notif_resp answer{};
    answer.id = asked.id;
    if (!is_struck(asked, callers, orders)) {
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else if (orders.error == weir::tests::short_transfer) {
        answer.val = weir::tests::move_one_byte(asked);
        if (answer.val < 0) answer = {asked.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    } else {
        answer.error = -static_cast<int>(orders.error.load());
    }
    return answer;
}

/// Until the last process with the filter has ended.
void supervise(int listener, Orders& orders) {
    Callers callers;
    pollfd waited{listener, POLLIN, 0};
    while (true) {
        if (::poll(&waited, 1, -1) < 0) continue;
        if ((waited.revents & POLLIN) == 0) return;
        seccomp_notif asked{};
        if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
        seccomp_notif_resp answer = answer_to(asked, callers, orders);
        ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);  // it may have died meanwhile
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 5) fail("usage: fault_supervisor ORDERS EXEMPT LIBRARY PROGRAM [argument...]");
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever asked for this may be interrupted
    Orders& orders = *map_orders(arguments[1]);
    auto filter = filter_without(arguments[2]);
    std::atomic<int>& listener = *make_handover();
    const pid_t child = fork_with_descriptors();
    if (child == 0) become(arguments + 4, arguments[3], std::move(filter), listener);
    orders.server = static_cast<std::uint32_t>(child);
    supervise(await_listener(child, listener), orders);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    orders.exited = static_cast<std::uint32_t>(status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
