#include "server/housekeeper.h"

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "base/background_thread.h"

namespace weir::server {

Housekeeper::Housekeeper() {
    add(stop_.fd(), [this] { is_stopping_ = true; });
}

Housekeeper::~Housekeeper() {
    stop_.signal();
    if (thread_.joinable()) thread_.join();
}

void Housekeeper::add(int fd, std::function<void()> run) {
    watched_.push_back({.fd = fd, .events = POLLIN, .revents = 0});
    tasks_.push_back(std::move(run));
}

int Housekeeper::open_fd() {
    if (const auto error = all_.open()) throw std::system_error{error, "epoll_create1"};
    for (const pollfd& each : watched_)
        if (!all_.add(each.fd, EPOLLIN, 0))
            throw std::system_error{errno, std::generic_category(), "epoll_ctl"};
    return all_.fd();
}

void Housekeeper::start_thread() {
    thread_ = start_background_thread([this] {
        while (!is_stopping_) run_within(-1);
    });
}

void Housekeeper::run_within(int milliseconds) {
    if (::poll(watched_.data(), watched_.size(), milliseconds) <= 0) return;
    for (std::size_t i = 0; i < watched_.size(); ++i)
        if (watched_[i].revents != 0) tasks_[i]();
}

}  // namespace weir::server
