#include "supervisor/link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "supervisor/channel.h"
#include "supervisor/program.h"

namespace weir::supervisor {
namespace {

net::UniqueFd taken(int fd) {
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return net::UniqueFd{fd};
}

}  // namespace

Link::Link(Handover handover) : handover_{std::move(handover)}, channel_{taken(handover_.channel)} {
    for (const int fd : handover_.sockets) sockets_.push_back(taken(fd));
    for (const Activated& each : handover_.activated) sockets_.push_back(taken(each.fd));
}

std::unique_ptr<Link> Link::from_environment() {
    const char* const text = std::getenv(generation_variable);
    if (!text) return nullptr;
    auto handover = read_handover(text);
    remove_variable(generation_variable);
    if (!handover || handover->channel < 0) return nullptr;
    return std::unique_ptr<Link>{new Link{std::move(*handover)}};
}

std::vector<int> Link::sockets() const {
    std::vector<int> all;
    all.reserve(sockets_.size());
    for (const net::UniqueFd& each : sockets_) all.push_back(each.get());
    return all;
}

void Link::tell_sockets(std::span<const int> sockets) const {
    for (const int fd : sockets)
        static_cast<void>(send_message(channel_.get(), Message::Kind::socket, {}, fd));
}

void Link::say(std::string_view text) const {
    static_cast<void>(send_message(channel_.get(), Message::Kind::said, text));
}

void Link::tell_ready(std::chrono::milliseconds stops_within) const {
    const Readiness readiness{.handover_version = handover_version, .stops_within = stops_within};
    static_cast<void>(
        send_message(channel_.get(), Message::Kind::ready, write_readiness(readiness)));
}

void Link::stop_with_supervisor() noexcept { ::prctl(PR_SET_PDEATHSIG, SIGTERM); }

void Link::close_sockets() noexcept { sockets_.clear(); }

}  // namespace weir::supervisor
