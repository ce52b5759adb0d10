#include "engines/processes/children.h"

#include <sys/types.h>

#include <new>
#include <string>
#include <utility>

#include "base/last_error.h"
#include "base/troubles.h"

namespace weir::engines {

namespace {

/// A report is left out if there is no memory for its sentence.
void report_end(const std::function<void(std::string_view sentence)>& report, pid_t pid,
                const net::Exit& exit) noexcept try {
    report("connection process (pid " + std::to_string(pid) + ") " + exit.text());
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace

std::error_code Children::open(int other, EngineFigures* figures) noexcept {
    if (const auto error = ended_.open()) return error;
    figures_ = figures;
    other_ = other;
    const bool ready = other < 0 || ended_.add(other, EPOLLIN, static_cast<std::uint64_t>(other));
    return ready ? std::error_code{} : last_error();
}

std::error_code Children::start(net::StopSignal& stop, net::UniqueFd& socket,
                                const std::function<int()>& work, const net::PeerAddress& peer) {
    auto child = net::Child::start(stop, net::Child::Terminated::by_parent, socket, work);
    if (!child) return child.error();
    const int fd = child->fd();
    if (!ended_.add(fd, EPOLLIN | EPOLLONESHOT, static_cast<std::uint64_t>(fd)))
        return make_error_code(net::Child::killed_at_birth);
    running_.emplace(fd, Running{std::move(*child), peer});
    show();
    return {};
}

void Children::show() const noexcept {
    if (figures_) EngineFigures::set(figures_->processes, running_.size());
}

void Children::reap(const std::function<void(std::string_view sentence)>& report,
                    const std::function<void(const net::PeerAddress& peer)>& ended) {
    other_is_readable_ = false;
    for (const epoll_event& event : ended_.wait(0)) {
        const int fd = static_cast<int>(event.data.u64);
        other_is_readable_ = other_is_readable_ || fd == other_;
        auto found = running_.extract(fd);
        if (found.empty()) continue;
        net::Child& child = found.mapped().child;
        ended(found.mapped().peer);
        // Later children have copies of the descriptor, so that closing ours would not remove it
        // from epoll. If this removal fails, EPOLLONESHOT prevents a second event.
        ended_.remove(child.fd());
        const auto pid = child.pid();
        const auto exit = child.reap();
        if (!exit.is_success() && report) report_end(report, pid, exit);
    }
    show();
}

void Children::kill() const noexcept {
    for (const auto& [fd, running] : running_) running.child.kill();
}

}  // namespace weir::engines
