#include "supervisor/channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/last_error.h"
#include "net/uninterrupted.h"

namespace weir::supervisor {
namespace {

constexpr std::size_t control_bytes = CMSG_SPACE(sizeof(int));

/// Memory for the one descriptor that a message may carry.
struct alignas(cmsghdr) Ancillary {
    std::array<char, control_bytes> bytes{};
};

net::UniqueFd descriptor_in(msghdr& message) {
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return {};
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return net::UniqueFd{fd};
}

bool is_known(char kind) {
    using enum Message::Kind;
    for (const auto each : {socket, settings, tickets, counters, changed, said, alive, ready})
        if (kind == std::to_underlying(each)) return true;
    return false;
}

}  // namespace

std::string write_time(std::chrono::milliseconds time) { return std::to_string(time.count()); }

std::optional<std::chrono::milliseconds> read_time(std::string_view text) {
    constexpr long a_day = 86'400'000;
    long milliseconds = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size();
    if (!is_whole || milliseconds < 0 || milliseconds > a_day) return std::nullopt;
    return std::chrono::milliseconds{milliseconds};
}

std::expected<Channel, std::error_code> open_channel() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return std::unexpected{last_error()};
    Channel channel{net::UniqueFd{ends[0]}, net::UniqueFd{ends[1]}};
    if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return std::unexpected{last_error()};
    return channel;
}

std::error_code send_message(int channel, Message::Kind kind, std::string_view text, int fd) {
    char letter = std::to_underlying(kind);
    text = text.substr(0, message_bytes_max - 1);
    std::array parts{iovec{&letter, 1}, iovec{const_cast<char*>(text.data()), text.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    Ancillary ancillary;
    if (fd >= 0) {
        message.msg_control = ancillary.bytes.data();
        message.msg_controllen = ancillary.bytes.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        *header = {
            .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    if (net::uninterrupted([&] { return ::sendmsg(channel, &message, MSG_NOSIGNAL); }) < 0)
        return last_error();
    return {};
}

void send_alive(int channel) noexcept {
    constexpr char letter = std::to_underlying(Message::Kind::alive);
    net::uninterrupted([&] { return ::send(channel, &letter, 1, MSG_NOSIGNAL | MSG_DONTWAIT); });
}

std::optional<Message> receive_message(int channel) {
    std::array<char, message_bytes_max> bytes;
    iovec part{bytes.data(), bytes.size()};
    Ancillary ancillary;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = ancillary.bytes.data();
    message.msg_controllen = ancillary.bytes.size();
    const auto size =
        net::uninterrupted([&] { return ::recvmsg(channel, &message, MSG_CMSG_CLOEXEC); });
    if (size <= 0) return std::nullopt;
    net::UniqueFd fd = descriptor_in(message);
    if (!is_known(bytes[0])) return std::nullopt;
    return Message{.kind = Message::Kind{bytes[0]},
                   .text = std::string(bytes.data() + 1, static_cast<std::size_t>(size) - 1),
                   .fd = std::move(fd)};
}

}  // namespace weir::supervisor
