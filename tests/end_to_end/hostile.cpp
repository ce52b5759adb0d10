// hostile PORT PEERS SECONDS: a crowd of hostile peers of eight kinds at a server on 127.0.0.1, and one
// client that is not hostile. The server has a file `/` and a file `/large`.
//
// One thread drives the crowd by epoll(7). Each peer acts about once a second, and comes back when it
// is cut. Another thread asks for `/`, in turn over a kept connection and over a new one. Prints a line
// for the seconds before the crowd comes, one for each second with it, and what became of the peers.
// The crowd stays until peers of each kind that the server must cut were cut, a minute more at most.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

enum Kind : std::uint8_t {
    slow_head,
    slow_body,
    slow_reader,
    trickler,
    silent,
    resetter,
    half_closer,
    pipeliner,
    kinds
};
constexpr std::array<const char*, kinds> names{"slow_head",   "slow_body", "slow_reader",
                                               "trickler",    "silent",    "resetter",
                                               "half_closer", "pipeliner"};

constexpr std::string_view request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr int in_a_pipeline = 16;

sockaddr_in address(std::uint32_t host, std::uint16_t port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_addr.s_addr = htonl(host);
    made.sin_port = htons(port);
    return made;
}

/// Each kind comes from an address of its own: one address has too few ports for all of them.
int connect_from(std::uint32_t host, std::uint16_t port, int flags, int receive_buffer = 0) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (fd < 0) return -1;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (receive_buffer > 0)
        ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const sockaddr_in from = address(host, 0);
    const sockaddr_in to = address(INADDR_LOOPBACK, port);
    const bool is_bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0;
    if (is_bound && (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ||
                     errno == EINPROGRESS))
        return fd;
    ::close(fd);
    return -1;
}

class Crowd {
   public:
    Crowd(std::uint16_t port, std::size_t peers) : port_{port}, peers_(peers) {
        for (std::size_t i = 0; i < peers; ++i) peers_[i].kind = static_cast<Kind>(i % kinds);
    }

    /// In each turn a tenth of the peers act.
    void run(const std::atomic<bool>& is_over) {
        for (std::size_t turn = 0; !is_over; ++turn) {
            const auto end = Clock::now() + 100ms;
            for (std::size_t i = turn % 10; i < peers_.size(); i += 10) act(i);
            do {
                take_events(std::max(end - Clock::now(), Clock::duration{}));
            } while (Clock::now() < end);
        }
    }

    /// Any thread may ask.
    bool was_cut() const noexcept {
        return cut_[slow_head] > 0 && cut_[silent] > 0 && cut_[half_closer] > 0;
    }
    void report() const {
        for (unsigned kind = 0; kind < kinds; ++kind)
            std::printf("%s came %lu cut %lu\n", names[kind], came_[kind], cut_[kind].load());
    }

   private:
    struct Peer {
        int fd = -1;
        Kind kind = silent;
        std::size_t sent = 0;  // of the request that a trickler sends
    };

    void act(std::size_t index) {
        Peer& peer = peers_[index];
        if (peer.fd < 0) return come(index);
        switch (peer.kind) {
            case slow_head:
            case slow_body: send(peer, "x"); break;
            case slow_reader: read(peer, 512); break;
            case trickler: trickle(peer); break;
            case resetter: reset(peer); break;
            case half_closer: drain(peer); break;
            case pipeliner:
                drain(peer);
                pipeline(peer);
                break;
            case silent:
            case kinds: break;
        }
    }

    void come(std::size_t index) {
        Peer& peer = peers_[index];
        constexpr std::uint32_t first_host = INADDR_LOOPBACK + 1;
        peer.fd = connect_from(first_host + peer.kind, port_, SOCK_NONBLOCK,
                               peer.kind == slow_reader ? 4'096 : 0);
        if (peer.fd < 0) return;
        peer.sent = 0;
        ++came_[peer.kind];
        // Of bytes, only those are told that end the connection: a hostile peer reads when it likes.
        epoll_event event{.events = EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.u64 = index}};
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, peer.fd, &event);
    }

    /// Once it is connected.
    void begin(Peer& peer) {
        if (std::exchange(peer.sent, 1) != 0) return;
        switch (peer.kind) {
            case slow_head: return send(peer, "GET / HTTP/1.1\r\nHost: a\r\nX: ");
            case slow_body:
                return send(peer, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            case slow_reader: return send(peer, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
            case resetter: return send(peer, request);
            case half_closer:
                send(peer, request);
                if (peer.fd >= 0) ::shutdown(peer.fd, SHUT_WR);
                return;
            case pipeliner: return pipeline(peer);
            case trickler:
            case silent:
            case kinds: return;
        }
    }

    void take_events(Clock::duration at_most) {
        std::array<epoll_event, 512> events;
        const auto time = std::chrono::ceil<std::chrono::milliseconds>(at_most).count();
        const int count =
            ::epoll_wait(epoll_, events.data(), events.size(), static_cast<int>(time));
        for (int i = 0; i < count; ++i) {
            Peer& peer = peers_[events[i].data.u64];
            if (peer.fd >= 0 && events[i].events & EPOLLOUT) begin(peer);
            if (peer.fd >= 0 && events[i].events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) cut(peer);
        }
    }

    void trickle(Peer& peer) {
        send(peer, request.substr((peer.sent - 1) % request.size(), 1));
        ++peer.sent;
    }
    void pipeline(Peer& peer) {
        static const std::string requests = [] {
            std::string many;
            for (int i = 0; i < in_a_pipeline; ++i) many += request;
            return many;
        }();
        if (peer.fd >= 0) send(peer, requests);
    }
    void reset(Peer& peer) {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(peer.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        leave(peer);
    }

    void send(Peer& peer, std::string_view bytes) {
        if (::send(peer.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno != EAGAIN)
            cut(peer);
    }
    /// Returns whether there may be more.
    bool read(Peer& peer, std::size_t bytes) {
        static std::array<char, 65'536> ignored;
        const ssize_t got = ::recv(peer.fd, ignored.data(), std::min(bytes, ignored.size()), 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) cut(peer);
        return got > 0;
    }
    void drain(Peer& peer) {
        while (peer.fd >= 0 && read(peer, SIZE_MAX)) {}
    }

    void cut(Peer& peer) {
        ++cut_[peer.kind];
        leave(peer);
    }
    static void leave(Peer& peer) { ::close(std::exchange(peer.fd, -1)); }

    const std::uint16_t port_;
    const int epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    std::vector<Peer> peers_;
    std::array<std::uint64_t, kinds> came_{};
    std::array<std::atomic<std::uint64_t>, kinds> cut_{};
};

/// The one that is not hostile.
class Guest {
   public:
    explicit Guest(std::uint16_t port) : port_{port} {}

    /// Asks for a second, and prints what that was like.
    void ask_for_a_second(const char* when) {
        std::vector<double> milliseconds;
        int failed = 0;
        for (const auto end = Clock::now() + 1s; Clock::now() < end; ++asked_) {
            const auto begin = Clock::now();
            if (!(asked_ % 2 == 0 ? ask_anew() : ask_again())) ++failed;
            milliseconds.push_back(
                std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
            ::poll(nullptr, 0, 5);  // it is not what loads the server
        }
        std::ranges::sort(milliseconds);
        const auto at = [&](double part) {
            const auto index = static_cast<std::size_t>(part * double(milliseconds.size()));
            return milliseconds[std::min(index, milliseconds.size() - 1)];
        };
        std::printf("%s asked %zu failed %d median %.2f p99 %.2f max %.2f\n", when,
                    milliseconds.size(), failed, at(.5), at(.99), milliseconds.back());
        std::fflush(stdout);
    }

   private:
    bool ask_anew() {
        const int fd = connect_from(INADDR_LOOPBACK, port_, 0);
        const auto connected = Clock::now();
        const bool answered = fd >= 0 && ask(fd);
        ::close(fd);
        // On a busy machine this client may stand still, until the server gives it up.
        const bool was_late = fd >= 0 && sent_ - connected > 1s;
        return answered || (was_late && ask_anew());
    }
    /// A kept connection may have been closed between two requests: then it asks anew.
    bool ask_again() {
        if (kept_ < 0) kept_ = connect_from(INADDR_LOOPBACK, port_, 0);
        if (kept_ >= 0 && ask(kept_)) return true;
        ::close(std::exchange(kept_, -1));
        return ask_anew();
    }
    bool ask(int fd) {
        const auto sent = ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
        sent_ = Clock::now();
        if (sent < 0) return false;
        std::string answer;
        std::array<char, 4'096> some;
        while (!answer.ends_with("</html>\n")) {
            pollfd watched{fd, POLLIN, 0};
            // While a busy machine lets the server accept nothing, the kernel drops what comes for a
            // full queue. The client sends it again after 0.2 s, 0.4 s, ... 12.8 s.
            constexpr int longest_milliseconds = 50'000;
            if (::poll(&watched, 1, longest_milliseconds) <= 0) return false;
            const ssize_t got = ::recv(fd, some.data(), some.size(), 0);
            if (got <= 0) return false;
            answer.append(some.data(), static_cast<std::size_t>(got));
        }
        return answer.starts_with("HTTP/1.1 200 ");
    }

    const std::uint16_t port_;
    int kept_ = -1;
    std::uint64_t asked_ = 0;
    Clock::time_point sent_;  // the last request
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    const auto port = static_cast<std::uint16_t>(std::atoi(arguments[1]));
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);

    Guest guest{port};
    for (int i = 0; i < 2; ++i) guest.ask_for_a_second("alone");
    Crowd crowd{port, static_cast<std::size_t>(std::atoi(arguments[2]))};
    std::atomic<bool> is_over = false;
    std::thread crowd_thread{[&] { crowd.run(is_over); }};
    const int seconds = std::atoi(arguments[3]);
    for (int i = 0; i < seconds || (!crowd.was_cut() && i < seconds + 60); ++i)
        guest.ask_for_a_second("beside");
    is_over = true;
    crowd_thread.join();
    crowd.report();
    return 0;
}
