// What the programs beside this file serve, and what they listen with.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <weir/web.h>

#include <cstdio>
#include <cstdlib>
#include <string>

inline void add_routes(weir::web::Router& router) {
    using namespace weir::web;
    router.get("/hello/{name}", [](const Call& call) {
        return text("Hello, " + std::string{call.parameter("name")} + "!\n");
    });
    router.get("/nap/{milliseconds}", [](Call call) -> Task<Response> {
        const auto time = call.parameter<int>("milliseconds").value_or(0);
        co_await sleep_for(std::chrono::milliseconds{time});  // the loop keeps the time
        co_return text("awake\n");
    });
    router.get("/numbers/{count}", [](const Call& call) {  // as fast as the peer takes them
        const auto count = call.parameter<int>("count").value_or(0);
        return stream(call, "text/plain", [count](Stream out) -> Task<> {
            std::string lines;
            for (int i = 0; i < count;) {
                for (lines.clear(); i < count && lines.size() < 16'000; ++i)
                    lines += std::to_string(i) + '\n';
                co_await out.write(lines);
            }
        });
    });
    router.post("/length", [](Call call) -> Task<Response> {
        std::size_t size = 0;
        auto body = call.body();
        while (const auto piece = co_await body.next()) size += piece->size();
        co_return text(std::to_string(size) + "\n");
    });
}

/// A non-blocking socket on loopback; port 0: one that is free. Prints the URL.
inline int listen_on(const char* port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(socket, SOMAXCONN) != 0) {
        std::perror("cannot listen");
        std::exit(1);
    }
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    std::printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return socket;
}

/// Readable once the program is asked to stop.
inline int stop_signals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return ::signalfd(-1, &signals, SFD_CLOEXEC);
}
