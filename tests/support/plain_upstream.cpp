#include "support/plain_upstream.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "support/client.h"
#include "support/incoming.h"

namespace weir::tests {
namespace {

constexpr std::string_view hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A connection, with what has come of its request.
struct Peer {
    net::UniqueFd socket;
    std::array<char, 8192> head;
    std::size_t size = 0;
    std::size_t content_left = 0;

    /// False at its end.
    bool receive() {
        std::array<char, 8192> rest;
        const bool in_content = content_left != 0;
        char* const into = in_content ? rest.data() : head.data() + size;
        const std::size_t room =
            in_content ? std::min(content_left, rest.size()) : head.size() - size;
        const ssize_t got = ::recv(socket.get(), into, room, 0);
        if (got <= 0) return false;
        if (in_content)
            content_left -= static_cast<std::size_t>(got);
        else
            size += static_cast<std::size_t>(got);
        return in_content ? content_left != 0 || answer() : take_head();
    }

   private:
    bool take_head() {
        const std::string_view all{head.data(), size};
        const std::size_t end = all.find("\r\n\r\n");
        if (end == all.npos) return size < head.size();
        constexpr std::string_view name = "Content-Length: ";
        const std::size_t at = all.find(name);
        std::size_t length = 0;
        if (at < end) std::from_chars(head.data() + at + name.size(), head.data() + end, length);
        const std::size_t have = size - end - 4;
        size = 0;
        content_left = length > have ? length - have : 0;
        return content_left != 0 || answer();
    }
    bool answer() const {
        return ::send(socket.get(), hello.data(), hello.size(), MSG_NOSIGNAL) > 0;
    }
};

}  // namespace

PlainUpstream::PlainUpstream(std::function<void()> on_thread)
    : listener_{bound_socket()}, end_{::eventfd(0, EFD_CLOEXEC)} {
    if (!end_ || ::listen(listener_.get(), 64) != 0)
        throw Unexpected{"no server behind the server"};
    thread_ = std::thread{[this, on_thread = std::move(on_thread)] {
        on_thread();
        run();
    }};
}

PlainUpstream::~PlainUpstream() {
    ::eventfd_write(end_.get(), 1);
    thread_.join();
}

std::string PlainUpstream::url() const {
    return "http://" + net::Address::of_socket(listener_.get())->text();
}

void PlainUpstream::run() const {
    constexpr std::size_t peers_max = 64;
    const auto all = std::make_unique<std::array<Peer, peers_max>>();
    auto& peers = *all;
    std::array<pollfd, peers_max + 2> waited;
    for (;;) {
        waited[0] = {end_.get(), POLLIN, 0};
        waited[1] = {listener_.get(), POLLIN, 0};
        for (std::size_t i = 0; i < peers_max; ++i)
            waited[i + 2] = {peers[i].socket.get(), POLLIN, 0};
        ::poll(waited.data(), waited.size(), -1);
        if (waited[0].revents != 0) break;
        for (std::size_t i = 0; i < peers_max; ++i)
            if (waited[i + 2].revents != 0 && !peers[i].receive()) peers[i].socket.reset();
        if (waited[1].revents == 0) continue;
        for (Peer& peer : peers) {
            if (peer.socket) continue;
            peer.socket.reset(::accept(listener_.get(), nullptr, nullptr));
            peer.size = peer.content_left = 0;
            break;
        }
    }
    for (Peer& peer : peers) peer.socket.reset();
}

bool is_hello_or_refusal(const Answer& answer) {
    const bool is_gateway = answer.status >= 502 && answer.status <= 504;
    return answer.status == 500 || is_gateway ||
           (answer.status == 200 && answer.content == "hello");
}

}  // namespace weir::tests
