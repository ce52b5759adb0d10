#include "supervisor/link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "net/write_all.h"
#include "supervisor/channel.h"
#include "supervisor/program.h"

namespace weir::supervisor {
namespace {

net::UniqueFd taken(int fd) {
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return net::UniqueFd{fd};
}

}  // namespace

Link::Link(Handover handover)
    : handover_{std::move(handover)},
      channel_{taken(handover_.channel)},
      settings_{handover_.settings >= 0 ? taken(handover_.settings) : net::UniqueFd{}} {
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
    const net::UniqueFd memory{::memfd_create("settings", MFD_CLOEXEC)};
    if (!memory || !net::write_all(memory.get(), settings)) return;
    static_cast<void>(send_message(channel_.get(), Message::Kind::settings, {}, memory.get()));
    static_cast<void>(send_message(channel_.get(), Message::Kind::changed, changed));
}

std::optional<std::string> Link::settings_before() const {
    if (!settings_) return std::nullopt;
    std::string text;
    std::array<char, 4'096> bytes;
    for (;;) {
        const auto size =
            ::pread(settings_.get(), bytes.data(), bytes.size(), static_cast<off_t>(text.size()));
        if (size <= 0) return text;
        text.append(bytes.data(), static_cast<std::size_t>(size));
    }
}

void Link::tell_ready(std::chrono::milliseconds stops_within) const {
    static_cast<void>(send_message(channel_.get(), Message::Kind::ready, write_time(stops_within)));
}

void Link::stop_with_supervisor() noexcept { ::prctl(PR_SET_PDEATHSIG, SIGTERM); }

void Link::close_sockets() noexcept { sockets_.clear(); }

}  // namespace weir::supervisor
