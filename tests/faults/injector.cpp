#include "faults/injector.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>

#include "net/mapping.h"

namespace weir::tests {

std::string_view to_text(Call call) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Call::count)> names{
        "accept4",    "bind",       "connect",     "epoll_create1", "epoll_ctl", "epoll_wait",
        "eventfd",    "fork",       "getsockname", "listen",        "poll",      "pread",
        "recv",       "ring_enter", "ring_poll",   "ring_receive",  "ring_send", "ring_register",
        "ring_setup", "select",     "send",        "sendfile",      "sendmsg",   "setsockopt",
        "shutdown",   "socket",     "start_thread"};
    return names[static_cast<std::size_t>(call)];
}

Injector& Injector::only() {
    static Injector* const injector = [] {
        static const auto memory = net::Mapping::among_forks(sizeof(Injector));
        return std::construct_at(memory.at<Injector>(0));
    }();
    return *injector;
}

void Injector::exempt_all_threads() {
    std::size_t at = 0;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/task"})
        if (at < exempt_.size()) exempt_[at++] = std::stoi(entry.path().filename());
    while (at < exempt_.size()) exempt_[at++] = 0;
}

void Injector::subject_this_thread() {
    for (auto& thread : exempt_)
        if (thread == ::gettid()) thread = 0;
}

bool Injector::is_exempt() const {
    thread_local const int self = ::gettid();
    return std::ranges::any_of(exempt_, [](const auto& thread) { return thread == self; });
}

void Injector::fail(Call call, int error, int nth, int times) {
    call_ = Call::count;  // off while it changes
    error_ = error;
    auto& count = counts_[index(call)];
    count.failed = 0;
    first_ = count.calls + nth;
    last_ = first_ + times - 1;
    call_ = call;
}

void Injector::clear() {
    call_ = Call::count;
    cap_ = SIZE_MAX;
    swallows_ = false;
    longest_turn_ = 0;
    for (auto& count : counts_) count.calls = count.failed = 0;
}

int Injector::next(Call call) {
    if (is_exempt()) return 0;
    count_turn(call);
    auto& count = counts_[index(call)];
    const int number = ++count.calls;
    if (call_ != call || number < first_ || number > last_) return 0;
    ++count.failed;
    return error_;
}

void Injector::count_turn(Call call) {
    thread_local int turn = 0;
    switch (call) {
        case Call::epoll_wait:
        case Call::poll:
        case Call::ring_enter:
        case Call::select: turn = 0; break;
        case Call::send:
        case Call::sendmsg:
        case Call::sendfile: ++turn; break;
        default: break;
    }
    if (turn > longest_turn_) longest_turn_ = turn;
}

std::size_t Injector::capped(std::size_t size) const {
    return is_exempt() ? size : std::min<std::size_t>(size, cap_);
}

}  // namespace weir::tests
