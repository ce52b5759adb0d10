// A request to another server, by blocking calls of sockets: for threads that may wait.
#pragma once

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

class Upstream {
   public:
    /// The upstream was silent for too long.
    struct TooSlow : std::runtime_error {
        using runtime_error::runtime_error;
    };

    /// No call waits longer than `timeout`. Throws std::runtime_error if nobody answers there.
    Upstream(const std::string& host, const std::string& port, std::chrono::seconds timeout) {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* found = nullptr;
        if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
            throw std::runtime_error{"the upstream has no address"};
        const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner{found, ::freeaddrinfo};
        for (const addrinfo* each = found; each && socket_ < 0; each = each->ai_next) {
            socket_ = ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, 0);
            limit_waits(timeout);
            if (::connect(socket_, each->ai_addr, each->ai_addrlen) != 0) close();
        }
        if (socket_ < 0) throw std::runtime_error{"the upstream does not answer"};
    }
    ~Upstream() { close(); }
    Upstream(const Upstream&) = delete;
    Upstream& operator=(const Upstream&) = delete;

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0) fail("the upstream has closed");
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// Empty at the end. Valid until the next call.
    std::string_view receive() {
        const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
        if (got < 0) fail("the upstream has failed");
        return {buffer_.data(), static_cast<std::size_t>(got)};
    }
    /// The head of its answer with the empty line, and the beginning of the content.
    std::string receive_head() {
        std::string head;
        while (head.find("\r\n\r\n") == std::string::npos) {
            const auto more = receive();
            if (more.empty() || head.size() > head_bytes_max)
                throw std::runtime_error{"the upstream's answer has no head"};
            head += more;
        }
        return head;
    }

   private:
    static constexpr std::size_t head_bytes_max = 64 * 1024;

    /// connect(2) waits no longer either (socket(7), SO_SNDTIMEO).
    void limit_waits(std::chrono::seconds timeout) {
        const timeval limit{.tv_sec = timeout.count(), .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
    [[noreturn]] static void fail(const char* what) {
        if (errno == EAGAIN) throw TooSlow{"the upstream is too slow"};
        throw std::runtime_error{what};
    }
    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }

    int socket_ = -1;
    std::array<char, 64 * 1024> buffer_;
};
