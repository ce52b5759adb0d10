#include "supervisor/link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "supervisor/channel.h"
#include "supervisor/memory_file.h"
#include "supervisor/program.h"

namespace weir::supervisor {
namespace {

net::UniqueFd taken(int fd) {
    if (fd >= 0) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return net::UniqueFd{fd};
}

}  // namespace

Link::Link(Handover handover)
    : handover_{std::move(handover)},
      channel_{taken(handover_.channel)},
      settings_{taken(handover_.settings)},
      tickets_{taken(handover_.tickets)},
      counters_{taken(handover_.counters)} {
    for (const int fd : handover_.sockets) sockets_.push_back(taken(fd));
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

// The settings go through a memory file, because a message is too small for them.
void Link::tell_settings(std::string_view settings, std::string_view changed) const {
    const net::UniqueFd memory = make_memory_file("settings", settings);
    if (!memory) return;
    static_cast<void>(send_message(channel_.get(), Message::Kind::settings, {}, memory.get()));
    static_cast<void>(send_message(channel_.get(), Message::Kind::changed, changed));
}

std::optional<std::string> Link::settings_before() const {
    if (!settings_) return std::nullopt;
    return read_memory_file(settings_.get());
}

void Link::tell_ticket_secret(std::string_view secret) const {
    const net::UniqueFd memory = make_memory_file("tickets", secret);
    if (memory)
        static_cast<void>(send_message(channel_.get(), Message::Kind::tickets, {}, memory.get()));
}

std::optional<std::string> Link::take_ticket_secret() {
    const net::UniqueFd file = std::move(tickets_);
    if (!file) return std::nullopt;
    return read_memory_file(file.get());
}

void Link::tell_counters(int file) const {
    static_cast<void>(send_message(channel_.get(), Message::Kind::counters, {}, file));
}

void Link::tell_ready(std::chrono::milliseconds stops_within) const {
    static_cast<void>(send_message(channel_.get(), Message::Kind::ready, write_time(stops_within)));
}

void Link::tell_alive() const noexcept { send_alive(channel_.get()); }

void Link::stop_with_supervisor() noexcept { ::prctl(PR_SET_PDEATHSIG, SIGTERM); }

void Link::close_sockets() noexcept { sockets_.clear(); }

}  // namespace weir::supervisor
