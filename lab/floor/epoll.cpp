// floor/epoll: what a server on epoll(7) costs that doesn't parse, decides or limit anything: one
// recv(2) and one send(2) for what has come, edge-triggered, so that nothing is ever registered
// twice. What a server of the same kind costs above that is what it does with HTTP.

#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "run.h"

namespace {

using namespace lab;

class Loop {
   public:
    Loop(int listener, const Answers& answers, unsigned connections_max)
        : listener_{listener}, answers_{answers}, peers_(connections_max) {
        watch(listener, EPOLLIN | EPOLLET);
    }

    [[noreturn]] void run() {
        std::array<epoll_event, 512> events;
        for (;;) {
            const int count = ::epoll_wait(epoll_, events.data(), events.size(), -1);
            for (int i = 0; i < count; ++i) {
                if (events[i].data.fd == listener_)
                    accept_all();
                else
                    turn(events[i].data.fd, events[i].events);
            }
        }
    }

   private:
    void watch(int fd, std::uint32_t events) {
        epoll_event event{.events = events, .data = {.fd = fd}};
        checked(::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    }

    void accept_all() {
        int fd;
        while ((fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
            peers_[fd] = {};
            watch(fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
        }
        // There is no second edge for those that wait: a floor that can't take all is no floor.
        if (errno == EMFILE || errno == ENFILE) checked(-1, "accept4");
    }

    void turn(int fd, std::uint32_t events) {
        Peer& peer = peers_[fd];
        const bool is_read = events == EPOLLOUT || receive(fd, peer, events);
        if (!is_read || !send(fd, peer) || (peer.closing && peer.owed == 0)) ::close(fd);
    }

    /// False where the peer has gone, and nothing is owed to it. A read that doesn't fill the buffer
    /// was the last (epoll(7)), unless the end has come, too: there is no second edge for it.
    bool receive(int fd, Peer& peer, std::uint32_t events) {
        for (;;) {
            const ssize_t got = ::recv(fd, buffer_.data(), buffer_.size(), 0);
            if (got < 0) return errno == EAGAIN;
            if (got == 0) {
                peer.closing = true;
                return true;
            }
            answers_.owe(peer, {buffer_.data(), static_cast<std::size_t>(got)});
            if (got < static_cast<ssize_t>(buffer_.size()) && (events & EPOLLRDHUP) == 0)
                return true;
        }
    }

    bool send(int fd, Peer& peer) {
        while (peer.owed > 0) {
            const std::string_view next = peer.answer->next(peer.owed);
            auto offset = static_cast<off_t>(peer.answer->offset_of(next));
            const ssize_t sent = next.size() >= answers_.sendfile_from()
                                     ? ::sendfile(fd, peer.answer->fd(), &offset, next.size())
                                     : ::send(fd, next.data(), next.size(), MSG_NOSIGNAL);
            if (sent < 0) return errno == EAGAIN;
            peer.owed -= static_cast<std::size_t>(sent);
        }
        return true;
    }

    const int epoll_ = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
    const int listener_;
    const Answers& answers_;
    std::vector<Peer> peers_;  // by descriptor
    std::array<char, 65'536> buffer_;
};

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, [](int listener, const Answers& answers, unsigned connections_max) {
        Loop{listener, answers, connections_max}.run();
    });
}
