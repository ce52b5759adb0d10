// delay-proxy: stands between clients and a server on 127.0.0.1, and passes on what they send
// later, as a network would that has a round trip, a bandwidth and losses. It works on streams, not
// on packets: a loss shows as the delay that TCP has by it. It is given a listening socket, which
// may belong to another network namespace. At SIGTERM it prints how punctual it was, and ends.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>

#include "stream.h"

namespace {

using namespace lab;

constexpr std::uint32_t events_of_peers = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

int checked(int result, const char* what) {
    if (result >= 0) return result;
    std::fprintf(stderr, "delay-proxy: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

Nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void send_at_once(int fd) {
    const int on = 1;
    checked(::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
}

int signal_of_the_end() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    checked(::sigprocmask(SIG_BLOCK, &signals, nullptr), "sigprocmask");
    return checked(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC), "signalfd");
}

struct Connection {
    int client, server;
    Stream up, down;

    /// A client sends its first byte after the handshake, which takes a round trip.
    Connection(int client_fd, int server_fd, const Clients& clients)
        : client{client_fd},
          server{server_fd},
          up{client, server, clients, now() + clients.round_trip},
          down{server, client, clients, {}} {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() {
        ::close(client);
        ::close(server);
    }
};

class Proxy {
   public:
    explicit Proxy(Options options)
        : options_{std::move(options)}, given_(options_.clients.size()) {
        watch(stop_, EPOLLIN);
        watch(listener_, EPOLLIN);
        std::puts("ready");
        std::fflush(stdout);
    }

    /// Until SIGTERM.
    const Statistics& run() {
        std::array<epoll_event, 512> events;
        for (;;) {
            const int count = wait(events);
            for (int i = 0; i < count; ++i) {
                const int fd = events[static_cast<std::size_t>(i)].data.fd;
                if (fd == stop_) return statistics_;
                if (fd == listener_)
                    accept_all();
                else
                    turn(fd, events[static_cast<std::size_t>(i)].events);
            }
            move_what_is_due();
        }
    }

   private:
    struct Due {
        Nanoseconds at;
        std::weak_ptr<Connection> connection;  // it may have gone meanwhile
        bool is_up;
        bool operator>(const Due& other) const { return at > other.at; }
    };

    int wait(std::span<epoll_event> events) {
        const auto size = static_cast<int>(events.size());
        if (due_.empty()) return ::epoll_wait(epoll_, events.data(), size, -1);
        const Nanoseconds left = std::max(Nanoseconds{}, due_.top().at - now());
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
        const timespec timeout{seconds.count(), (left - seconds).count()};
        return ::epoll_pwait2(epoll_, events.data(), size, &timeout, nullptr);
    }

    void watch(int fd, std::uint32_t events) {
        epoll_event event{.events = events, .data = {.fd = fd}};
        checked(::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    }

    void accept_all() {
        int fd;
        while ((fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
            connect_for(fd);
        if (errno != EAGAIN && errno != ECONNABORTED) checked(-1, "accept");
    }

    void connect_for(int client) {
        const int server =
            checked(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket");
        const sockaddr_in address = loopback(options_.server_port);
        send_at_once(client);
        send_at_once(server);
        const auto one = std::make_shared<Connection>(client, server, next_clients());
        const int status =
            ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        if (status < 0 && errno != EINPROGRESS) return;  // the client sees that it is closed
        connections_[client] = connections_[server] = one;
        watch(client, events_of_peers);
        watch(server, events_of_peers);
        ++statistics_.connections;
    }

    /// Those that lack most of their share.
    const Clients& next_clients() {
        std::size_t most = 0;
        double lacking = -1;
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const double total = static_cast<double>(statistics_.connections + 1);
            const double lacks = options_.clients[i].share * total - given_[i];
            if (lacks > lacking) most = i, lacking = lacks;
        }
        given_[most] += 1;
        return options_.clients[most];
    }

    void turn(int fd, std::uint32_t events) {
        const auto found = connections_.find(fd);
        if (found == connections_.end()) return;  // closed in this turn
        const std::shared_ptr<Connection> one = found->second;
        const bool is_client = fd == one->client;
        Stream &from_it = is_client ? one->up : one->down, &to_it = is_client ? one->down : one->up;
        if (events & ~std::uint32_t{EPOLLOUT}) from_it.is_readable();
        if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) to_it.is_writable();
        move(one, from_it);
        move(one, to_it);
    }

    void move_what_is_due() {
        const Nanoseconds time = now();
        while (!due_.empty() && due_.top().at <= time) {
            const Due next = due_.top();
            due_.pop();
            if (const auto one = next.connection.lock()) {
                Stream& stream = next.is_up ? one->up : one->down;
                stream.is_scheduled = false;
                move(one, stream);
            }
        }
    }

    void move(const std::shared_ptr<Connection>& one, Stream& stream) {
        if (!connections_.contains(one->client)) return;
        const bool is_whole = stream.move(now(), random_, statistics_);
        if (!is_whole || (one->up.has_ended() && one->down.has_ended())) {
            connections_.erase(one->client);
            connections_.erase(one->server);
            return;
        }
        if (stream.waits() && !stream.is_scheduled) {
            stream.is_scheduled = true;
            due_.push({stream.due(), one, &stream == &one->up});
        }
    }

    Options options_;
    std::vector<double> given_;  // connections, to each kind of clients
    int epoll_ = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
    int stop_ = signal_of_the_end(), listener_ = options_.listener;
    std::unordered_map<int, std::shared_ptr<Connection>> connections_;  // by both descriptors
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    std::minstd_rand random_;
    Statistics statistics_;
};

/// A network does not wait until the generator leaves it a core. Without the right to that, it is
/// late more often.
void come_first() {
    const sched_param parameters{.sched_priority = 1};
    ::sched_setscheduler(0, SCHED_RR, &parameters);
}

void raise_descriptor_limit() {
    rlimit limit{};
    checked(::getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
    limit.rlim_cur = limit.rlim_max;
    checked(::setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

}  // namespace

int main(int argc, char** argv) {
    raise_descriptor_limit();
    come_first();
    const Statistics found = Proxy{lab::parse(argc, argv)}.run();
    std::printf(
        R"({"connections": %zu, "chunks": %zu, "late": %zu, "delayed": %zu, "lateness_max": %.6f})"
        "\n",
        found.connections, found.chunks, found.late, found.delayed,
        std::chrono::duration<double>(found.lateness_max).count());
}
