// What the linker puts in place of the calls that may fail (see CMakeLists.txt). Each asks the
// injector first, and otherwise is the call itself.

#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <map>
#include <mutex>
#include <system_error>

#include "faults/injector.h"
#include "faults/ring_faults.h"

using weir::tests::Call;
using weir::tests::Injector;
using weir::tests::RingFaults;

extern "C" {
int __real_accept(int, sockaddr*, socklen_t*);
int __real_accept4(int, sockaddr*, socklen_t*, int);
int __real_bind(int, const sockaddr*, socklen_t);
int __real_close(int);
int __real_epoll_create1(int);
int __real_epoll_ctl(int, int, int, epoll_event*);
int __real_epoll_wait(int, epoll_event*, int, int);
int __real_eventfd(unsigned, int);
pid_t __real_fork();
int __real_getsockname(int, sockaddr*, socklen_t*);
int __real_listen(int, int);
void* __real_mmap(void*, size_t, int, int, int, off_t);
int __real_poll(pollfd*, nfds_t, int);
int __real_select(int, fd_set*, fd_set*, fd_set*, timeval*);
ssize_t __real_pread(int, void*, size_t, off_t);
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
ssize_t __real_recv(int, void*, size_t, int);
ssize_t __real_send(int, const void*, size_t, int);
ssize_t __real_sendfile(int, int, off_t*, size_t);
ssize_t __real_sendmsg(int, const msghdr*, int);
int __real_setsockopt(int, int, int, const void*, socklen_t);
int __real_shutdown(int, int);
int __real_socket(int, int, int);
int __real_connect(int, const sockaddr*, socklen_t);
long __real_syscall(long, ...);
}

namespace {

/// What epoll was told of each descriptor, so that it can be told again.
class Readiness {
   public:
    /// Around a fork, whose child must not inherit a locked mutex.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

    void told(int epoll, int operation, int fd, const epoll_event* event) {
        const std::scoped_lock lock{mutex_};
        if (operation == EPOLL_CTL_DEL)
            told_.erase(fd);
        else
            told_[fd] = {epoll, *event};
    }
    void closed(int fd) {
        const std::scoped_lock lock{mutex_};
        std::erase_if(told_, [fd](const auto& entry) {
            return entry.first == fd || entry.second.epoll == fd;
        });
    }
    /// What was said of the descriptor (nothing more to read, no more room) was not true. Whoever
    /// waits for an edge must get one, as where the rest had come a moment later.
    void renew(int fd) {
        const std::scoped_lock lock{mutex_};
        const auto found = told_.find(fd);
        if (found == told_.end()) return;
        __real_epoll_ctl(found->second.epoll, EPOLL_CTL_MOD, fd, &found->second.event);
    }

   private:
    struct Told {
        int epoll;
        epoll_event event;
    };
    std::mutex mutex_;
    std::map<int, Told> told_;
};

// NOLINTNEXTLINE(misc-no-recursion): it doesn't, a fork comes later
Readiness& readiness() {
    static Readiness only;
    static const int unlocked_in_children = ::pthread_atfork(
        [] { readiness().lock(); }, [] { readiness().unlock(); }, [] { readiness().unlock(); });
    static_cast<void>(unlocked_in_children);
    return only;
}

RingFaults& ring_faults() {
    static RingFaults only;
    return only;
}

/// True where the call fails; errno is set then.
bool fails(Call call) {
    const int error = Injector::only().next(call);
    if (error != 0) errno = error;
    return error != 0;
}

/// The same for a call that moves bytes.
bool fails(Call call, int fd) {
    if (!fails(call)) return false;
    if (errno == EAGAIN) {
        readiness().renew(fd);
        errno = EAGAIN;
    }
    return true;
}

std::size_t capped(std::size_t size, int fd) {
    const auto less = Injector::only().capped(size);
    if (less < size) readiness().renew(fd);
    return less;
}

}  // namespace

extern "C" {

int __wrap_accept(int fd, sockaddr* address, socklen_t* size) {
    return fails(Call::accept4, fd) ? -1 : __real_accept(fd, address, size);
}

int __wrap_accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
    return fails(Call::accept4, fd) ? -1 : __real_accept4(fd, address, size, flags);
}

int __wrap_bind(int fd, const sockaddr* address, socklen_t size) {
    return fails(Call::bind) ? -1 : __real_bind(fd, address, size);
}

// Never fails (close(2)): it is here because its number may be given out again.
int __wrap_connect(int fd, const sockaddr* address, socklen_t size) {
    return fails(Call::connect) ? -1 : __real_connect(fd, address, size);
}

int __wrap_close(int fd) {
    readiness().closed(fd);
    ring_faults().closed(fd);
    return __real_close(fd);
}

int __wrap_epoll_create1(int flags) {
    return fails(Call::epoll_create1) ? -1 : __real_epoll_create1(flags);
}

int __wrap_epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
    // To change what is watched takes no memory and can't fail: Asio takes it for granted.
    const bool failed = operation != EPOLL_CTL_DEL && fails(Call::epoll_ctl);
    if (failed && operation == EPOLL_CTL_ADD) return -1;
    const int result = __real_epoll_ctl(epoll, operation, fd, event);
    if (result == 0) readiness().told(epoll, operation, fd, event);
    return result;
}

int __wrap_epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
    return fails(Call::epoll_wait) ? -1 : __real_epoll_wait(epoll, events, count, timeout);
}

int __wrap_eventfd(unsigned value, int flags) {
    return fails(Call::eventfd) ? -1 : __real_eventfd(value, flags);
}

pid_t __wrap_fork() { return fails(Call::fork) ? -1 : __real_fork(); }

int __wrap_getsockname(int fd, sockaddr* address, socklen_t* size) {
    return fails(Call::getsockname) ? -1 : __real_getsockname(fd, address, size);
}

int __wrap_listen(int fd, int backlog) {
    return fails(Call::listen) ? -1 : __real_listen(fd, backlog);
}

void* __wrap_mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
    void* const memory = __real_mmap(at, size, protection, flags, fd, offset);
    if (fd >= 0 && memory != MAP_FAILED) ring_faults().mapped(fd, offset, memory);
    return memory;
}

int __wrap_poll(pollfd* waited, nfds_t count, int timeout) {
    return fails(Call::poll) ? -1 : __real_poll(waited, count, timeout);
}

int __wrap_select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                  timeval* time) {
    return fails(Call::select) ? -1 : __real_select(count, readable, writable, exceptional, time);
}

ssize_t __wrap_pread(int fd, void* into, size_t size, off_t offset) {
    if (fails(Call::pread)) return -1;
    return __real_pread(fd, into, Injector::only().capped(size), offset);
}

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* argument) {
    if (const int error = Injector::only().next(Call::start_thread)) return error;
    return __real_pthread_create(thread, attributes, run, argument);
}

ssize_t __wrap_recv(int fd, void* into, size_t size, int flags) {
    if (fails(Call::recv, fd)) return -1;
    return __real_recv(fd, into, capped(size, fd), flags);
}

ssize_t __wrap_send(int fd, const void* bytes, size_t size, int flags) {
    if (fails(Call::send, fd)) return -1;
    if (Injector::only().swallows()) return static_cast<ssize_t>(size);
    return __real_send(fd, bytes, capped(size, fd), flags);
}

ssize_t __wrap_sendfile(int fd, int file, off_t* offset, size_t size) {
    if (fails(Call::sendfile, fd)) return -1;
    if (Injector::only().swallows()) return static_cast<ssize_t>(size);
    return __real_sendfile(fd, file, offset, capped(size, fd));
}

ssize_t __wrap_sendmsg(int fd, const msghdr* message, int flags) {
    if (fails(Call::sendmsg, fd)) return -1;
    std::array<iovec, 16> parts;
    std::size_t count = 0;
    std::size_t size = 0;
    for (; count < message->msg_iovlen && count < parts.size(); ++count) {
        parts[count] = message->msg_iov[count];
        size += parts[count].iov_len;
    }
    std::size_t left = capped(size, fd);
    for (std::size_t i = 0; i < count; ++i) {
        parts[i].iov_len = std::min(parts[i].iov_len, left);
        left -= parts[i].iov_len;
    }
    if (Injector::only().swallows()) return static_cast<ssize_t>(size);
    msghdr shortened = *message;
    shortened.msg_iov = parts.data();
    return __real_sendmsg(fd, &shortened, flags);
}

int __wrap_setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
    return fails(Call::setsockopt) ? -1 : __real_setsockopt(fd, level, option, value, size);
}

int __wrap_shutdown(int fd, int how) {
    return fails(Call::shutdown) ? -1 : __real_shutdown(fd, how);
}

int __wrap_socket(int family, int type, int protocol) {
    return fails(Call::socket) ? -1 : __real_socket(family, type, protocol);
}

// All that is called by its number: the ring's.
long __wrap_syscall(long number, ...) {
    std::array<long, 6> arguments{};
    // The last ones come on the stack: they are read only where they were given.
    const std::size_t count = number == SYS_io_uring_enter ? arguments.size() : 4;
    va_list given;
    va_start(given, number);
    for (std::size_t i = 0; i < count; ++i) arguments[i] = va_arg(given, long);
    va_end(given);
    if (number == SYS_io_uring_setup && fails(Call::ring_setup)) return -1;
    // Enabling fails for a ring that is enabled already, and for no other reason.
    const bool may_fail = arguments[1] != IORING_REGISTER_ENABLE_RINGS;
    if (number == SYS_io_uring_register && may_fail && fails(Call::ring_register)) return -1;
    const bool enters = number == SYS_io_uring_enter;
    if (enters && fails(Call::ring_enter)) return -1;
    const auto ring = static_cast<int>(arguments[0]);
    if (enters) ring_faults().submits(ring, static_cast<std::uint32_t>(arguments[1]));
    const long result = __real_syscall(number, arguments[0], arguments[1], arguments[2],
                                       arguments[3], arguments[4], arguments[5]);
    const int error = errno;
    if (enters) ring_faults().has_completed(ring);
    if (number == SYS_io_uring_setup && result >= 0)
        ring_faults().made(static_cast<int>(result),
                           *reinterpret_cast<const io_uring_params*>(arguments[1]));
    errno = error;
    return result;
}

// std::thread's: it calls pthread_create inside the shared library, where --wrap has no say.
// The second argument is a unique_ptr by value, which is a pointer to it (Itanium C++ ABI 3.1.1).
void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* self, void* state, void (*depend)());

void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* self, void* state, void (*depend)()) {
    if (const int error = Injector::only().next(Call::start_thread))
        throw std::system_error{error, std::generic_category(), "std::thread"};
    __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
        self, state, depend);
}

}  // extern "C"
