#include "run.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

namespace lab {
namespace {

constexpr int backlog = 4096;
constexpr unsigned connections_useful = 65'536;
// From there on, the kernel's copying usually costs more than handing over pages does.
constexpr std::size_t sendfile_from_usually = 128 * 1024;

struct Options {
    std::uint16_t port = 0;
    std::size_t bytes = 1024;
    unsigned workers = 1;
    std::size_t sendfile_from = sendfile_from_usually;
};

[[noreturn]] void usage(const char* program) {
    std::fprintf(stderr, "usage: %s --port P [--bytes N] [--workers N] [--sendfile BYTES]\n",
                 program);
    std::exit(2);
}

template <typename Number>
bool read(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    return error == std::errc{} && end == text.end() && value > 0;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        const bool is_good = name == "--port"       ? read(value, options.port)
                             : name == "--bytes"    ? read(value, options.bytes)
                             : name == "--workers"  ? read(value, options.workers)
                             : name == "--sendfile" ? read(value, options.sendfile_from)
                                                    : false;
        if (!is_good) usage(argv[0]);
    }
    if (options.port == 0) usage(argv[0]);
    return options;
}

/// All descriptors that this process may have.
unsigned raise_descriptor_limit() {
    rlimit limit{};
    checked(::getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
    limit.rlim_cur = limit.rlim_max;
    checked(::setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
    return limit.rlim_cur < connections_useful ? static_cast<unsigned>(limit.rlim_cur)
                                               : connections_useful;
}

int listen(std::uint16_t port) {
    const int listener =
        checked(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket");
    const int on = 1;
    checked(::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), "SO_REUSEADDR");
    checked(::setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on), "SO_REUSEPORT");
    // Connections inherit it.
    checked(::setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    checked(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
    checked(::listen(listener, backlog), "listen");
    return listener;
}

}  // namespace

int checked(int result, const char* what) {
    if (result >= 0) return result;
    std::fprintf(stderr, "floor: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

int run(int argc, char** argv, void (*serve)(int, const Answers&, unsigned)) {
    const Options options = parse(argc, argv);
    const unsigned connections_max = raise_descriptor_limit();
    std::signal(SIGPIPE, SIG_IGN);  // sendfile(2) has no MSG_NOSIGNAL
    const Answers answers{options.bytes, options.sendfile_from};
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < options.workers; ++i)
        others.emplace_back([&] { serve(listen(options.port), answers, connections_max); });
    serve(listen(options.port), answers, connections_max);
    return 0;
}

}  // namespace lab
