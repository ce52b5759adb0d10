#include "server/housekeeper.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/background_thread.h"

namespace weir::server {

Housekeeper::Housekeeper() {
    if (const auto error = epoll_.open()) throw std::system_error{error, "epoll_create1"};
    add(stop_.fd(), [this] { is_stopping_ = true; });
}

Housekeeper::~Housekeeper() {
    stop_.signal();
    if (thread_.joinable()) thread_.join();
}

void Housekeeper::add(int fd, std::function<void()> run) {
    if (!epoll_.add(fd, EPOLLIN, tasks_.size()))
        throw std::system_error{errno, std::generic_category(), "epoll_ctl"};
    tasks_.push_back(std::move(run));
}

void Housekeeper::start_thread() {
    thread_ = start_background_thread([this] {
        while (!is_stopping_) run_within(-1);
    });
}

void Housekeeper::run_within(int milliseconds) {
    for (const epoll_event& due : epoll_.wait(milliseconds)) tasks_[due.data.u64]();
}

}  // namespace weir::server
