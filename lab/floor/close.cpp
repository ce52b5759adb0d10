// floor/close: what a connection for each request costs that asks for nothing else: accept4(2), one
// recv(2), one send(2) and close(2), on one thread. The kernel holds a connection back until its
// request has come (TCP_DEFER_ACCEPT), so that nothing ever waits and no event is asked for. The end
// leaves in the segment of the answer (MSG_MORE before close(2)). It serves one connection at a time:
// that suits nothing but this work.

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "run.h"

namespace {

using namespace lab;

constexpr int seconds_without_request = 60;

/// A listener that accept4(2) waits on.
void prepare(int listener) {
    checked(::setsockopt(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds_without_request,
                         sizeof seconds_without_request),
            "TCP_DEFER_ACCEPT");
    checked(::fcntl(listener, F_SETFL, ::fcntl(listener, F_GETFL) & ~O_NONBLOCK), "fcntl");
}

/// False where the peer has gone.
bool send(int fd, Peer& peer) {
    while (peer.owed > 0) {
        const std::string_view next = peer.answer->next(peer.owed);
        const int more = peer.closing && next.size() == peer.owed ? MSG_MORE : 0;
        const ssize_t sent = ::send(fd, next.data(), next.size(), MSG_NOSIGNAL | more);
        if (sent < 0) return false;
        peer.owed -= static_cast<std::size_t>(sent);
    }
    return true;
}

void serve(int fd, const Answers& answers) {
    std::array<char, 65'536> buffer;
    Peer peer;
    while (!peer.closing) {
        const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
        if (got <= 0) break;
        answers.owe(peer, {buffer.data(), static_cast<std::size_t>(got)});
        if (!send(fd, peer)) break;
    }
    ::close(fd);
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, [](int listener, const Answers& answers, unsigned) {
        prepare(listener);
        for (;;) {
            const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd >= 0)
                serve(fd, answers);
            else if (errno != ECONNABORTED)
                checked(fd, "accept4");
        }
    });
}
