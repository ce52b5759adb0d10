#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "weir/web/readable.h"

namespace weir::web {
namespace detail {

namespace {

/// Throws errno as an exception if a system call has failed.
int checked(int result, const char* what) {
    if (result < 0) throw std::system_error{errno, std::generic_category(), what};
    return result;
}

class Descriptor {
   public:
    explicit Descriptor(int fd) noexcept : fd_{fd} {}
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const noexcept { return fd_; }

   private:
    int fd_;
};

}  // namespace

/// A thread that waits for descriptors. It starts with the first wait, in each process of its own.
class Watcher {
   public:
    Watcher();
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    /// The watcher of this process.
    static Watcher& own();

    void add(Watched& watched, const http::Waker& waker);
    void remove(Watched& watched) noexcept;
    bool is_of(pid_t process) const noexcept { return process_ == process; }

   private:
    void run() noexcept;
    /// The descriptors that are ready. Within the mutex: the ones that were removed can't be among
    /// them.
    bool tell_ready() noexcept;

    const pid_t process_ = ::getpid();
    const Descriptor epoll_{checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")};
    const Descriptor end_{checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")};
    std::mutex mutex_;  // guards all that is watched
    std::thread thread_;
};

Watcher::Watcher() {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = nullptr}};
    checked(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, end_.get(), &event), "epoll_ctl");
    thread_ = std::thread{[this] { run(); }};
}

Watcher::~Watcher() {
    ::eventfd_write(end_.get(), 1);
    thread_.join();
}

Watcher& Watcher::own() {
    static std::mutex mutex;
    static std::unique_ptr<Watcher> watcher;
    const std::scoped_lock lock{mutex};
    // A process that was forked has the object, but not its thread: it is left as it is.
    if (watcher && !watcher->is_of(::getpid())) static_cast<void>(watcher.release());
    if (!watcher) watcher = std::make_unique<Watcher>();
    return *watcher;
}

void Watcher::add(Watched& watched, const http::Waker& waker) {
    // A duplicate, because one descriptor can be in an epoll instance once only.
    const int fd = checked(::fcntl(watched.fd_, F_DUPFD_CLOEXEC, 0), "fcntl");
    epoll_event event{.events = watched.events_ | EPOLLONESHOT, .data = {.ptr = &watched}};
    const std::scoped_lock lock{mutex_};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
        const int error = errno;
        ::close(fd);
        throw std::system_error{error, std::generic_category(), "epoll_ctl"};
    }
    watched.waker_.emplace(waker);
    watched.fd_ = fd;
    watched.is_watched_ = true;
}

void Watcher::remove(Watched& watched) noexcept {
    const std::scoped_lock lock{mutex_};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, watched.fd_, nullptr);
    ::close(watched.fd_);
}

bool Watcher::tell_ready() noexcept {
    constexpr int at_once = 64;
    std::array<epoll_event, at_once> ready;
    const std::scoped_lock lock{mutex_};
    const int count = ::epoll_wait(epoll_.get(), ready.data(), at_once, 0);
    for (int i = 0; i < count; ++i) {
        auto* const watched = static_cast<Watched*>(ready[static_cast<std::size_t>(i)].data.ptr);
        if (watched == nullptr) return false;
        watched->is_ready_ = true;
        watched->waker_->wake();
    }
    return true;
}

void Watcher::run() noexcept {
    do {
        pollfd any{.fd = epoll_.get(), .events = POLLIN, .revents = 0};
        ::poll(&any, 1, -1);  // outside of the mutex
    } while (tell_ready());
}

bool Watched::watch(const http::Waker& waker) {
    pollfd now{.fd = fd_, .events = static_cast<short>(events_), .revents = 0};
    checked(::poll(&now, 1, 0), "poll");
    if ((now.revents & POLLNVAL) != 0)
        throw std::system_error{EBADF, std::generic_category(), "poll"};
    if (now.revents != 0) return false;
    Watcher::own().add(*this, waker);
    return true;
}

void Watched::forget() noexcept {
    if (std::exchange(is_watched_, false)) Watcher::own().remove(*this);
}

}  // namespace detail

detail::DescriptorWait readable(int fd) noexcept { return {fd, EPOLLIN}; }
detail::DescriptorWait writable(int fd) noexcept { return {fd, EPOLLOUT}; }

}  // namespace weir::web
