#include "support/background.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "support/incoming.h"

namespace weir::tests {
namespace {

net::UniqueFd make_bell() {
    net::UniqueFd fd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (!fd) throw Unexpected{"eventfd"};
    return fd;
}

bool is_readable(int fd) {
    pollfd waited{fd, POLLIN, 0};
    return fd < 0 || ::poll(&waited, 1, 0) > 0;
}

}  // namespace

// Starts its thread at once, before a test takes away the server's descriptors, threads or memory: a
// thread that has nothing to do allocates nothing, whenever it gets its turn.
Background::Background() : event_{make_bell()}, waited_(1) { ensure_thread(); }

Background::~Background() {
    {
        const std::scoped_lock lock{mutex_};
        stopping_ = true;
    }
    ring();
    if (process_ == ::getpid()) thread_.join();
}

void Background::ensure_thread() {
    if (process_ == ::getpid()) return;
    if (process_ != 0) become_child();
    process_ = ::getpid();
    thread_ = std::thread{[this] { run(); }};
}

// Runs on the only thread of the child so far. In the parent, another thread may have held the lock
// or changed the entries at the moment of the fork, so the child makes new ones and does not
// destroy the old ones.
void Background::become_child() {
    std::construct_at(&mutex_);
    std::construct_at(&entries_);
    std::construct_at(&waited_, 1);
    thread_.detach();  // this is only a handle; the thread runs in the parent
    event_ = make_bell();
}

void Background::when_readable(int fd, Task task) {
    ensure_thread();
    {
        const std::scoped_lock lock{mutex_};
        entries_.push_back({fd, std::move(task)});
    }
    ring();
}

void Background::ring() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

std::vector<Background::Entry> Background::take_ready() {
    const std::scoped_lock lock{mutex_};
    const auto waiting = std::stable_partition(entries_.begin(), entries_.end(),
                                               [](const Entry& e) { return is_readable(e.fd); });
    std::vector<Entry> ready{std::move_iterator{entries_.begin()}, std::move_iterator{waiting}};
    entries_.erase(entries_.begin(), waiting);
    return ready;
}

void Background::wait_for_any() {
    waited_.resize(1);
    waited_[0] = {event_.get(), POLLIN, 0};
    {
        const std::scoped_lock lock{mutex_};
        for (const Entry& entry : entries_) waited_.push_back({entry.fd, POLLIN, 0});
    }
    ::poll(waited_.data(), waited_.size(), -1);
    std::uint64_t rings;
    [[maybe_unused]] const auto read = ::read(event_.get(), &rings, sizeof rings);
}

void Background::run() {
    for (;;) {
        for (const Entry& entry : take_ready()) entry.task();
        {
            const std::scoped_lock lock{mutex_};
            if (stopping_) return;
        }
        wait_for_any();
    }
}

}  // namespace weir::tests
