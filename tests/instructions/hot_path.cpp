// Does one kind of work so many times: instructions.py runs it under callgrind with two counts, so that
// what comes before and after the requests cancels out. Answers are a cached file's, but not from a
// site: Debian 12's valgrind does not know openat2(2), without which no site opens.
//
// usage: hot_path head|answer|compressed|routed_10|routed_1000|streams|server|counted|pipelined|echo|handshake|resumed|secure COUNT,
//        or hot_path what
// The exit code 77 says that this build has no such work.

#include <arpa/inet.h>
#include <gnu/libc-version.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "http/frames/frame.h"
#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "instructions/secure_path.h"
#include "instructions/served.h"
#include "weir/compress/compress.h"
#include "weir/server/server.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace {

using namespace weir;  // NOLINT(google-build-using-namespace): a program of its own
using namespace weir::http;
using namespace weir::instructions;

// What a load generator says, which pipelines.
constexpr std::string_view short_request = "GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n";
constexpr long pipelined_requests = 16;

/// A head is read, and no more.
void read_heads(long count) {
    const Limits limits;
    HeadParser parser;
    HeadIndex index;
    for (long i = 0; i < count; ++i) {
        parser.reset();
        index.clear();
        if (parser.parse(request, index, limits) != HeadParser::Result::complete) give_up("head");
    }
}

/// From received bytes to bytes to send: everything but the engine.
template <typename Handled>
void answer_requests(Handled& handler, long count, std::size_t bytes_min = content_bytes) {
    const Limits limits;
    const Timeouts timeouts;
    Workspace workspace{limits, timeouts};
    Nobody origin;
    const Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Http1Connection connection{workspace, origin, now};
    for (long i = 0; i < count; ++i) {
        connection.receive(request, now);
        const Request& taken = connection.take_request();
        connection.respond(taken.id(), handler.handle(taken), now);
        const std::size_t size = connection.transmit().part_bytes();
        if (size < bytes_min) give_up("answer");
        connection.transmitted(size, now);
    }
}

/// HEADERS of HTTP/2 that are whole.
std::string http2_request(http2::StreamId stream, std::string_view section) {
    std::string frame(http2::frame_head_bytes, '\0');
    http2::write_frame_head(frame.data(),
                            {static_cast<std::uint32_t>(section.size()), http2::FrameType::headers,
                             http2::flag::end_headers | http2::flag::end_stream, stream});
    return frame.append(section);
}

/// What a load generator sends: the first request fills the table, the others name what is there.
std::string http2_requests(http2::StreamId& next) {
    constexpr std::string_view first =
        "\x82\x86\x41\x0e"
        "127.0.0.1:8000\x44\x07/1k.txt\x7a\x13h2load nghttp2/1.52";
    std::string requests;
    for (int i = 0; i < 32; ++i, next += 2)
        requests += http2_request(next, next == 1 ? first : "\x82\x86\xc0\xbf\xbe");
    return requests;
}

/// Received, handled and rendered 32 at a time; the peer's windows open in time.
void answer_streams(long count) {
    CachedFile file;
    const Limits limits;
    const Timeouts timeouts;
    Workspace workspace{limits, timeouts};
    Nobody origin;
    const Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Http2Connection connection{workspace, origin, now};
    OutputBuffer window;
    http2::append_window_update(window, 0, 32 * content_bytes);
    const std::string opening{window.unsent()};
    connection.receive(
        std::string{http2::preface} + std::string(3, '\0') + '\x04' + std::string(5, '\0'), now);
    http2::StreamId next = 1;
    for (long i = 0; i < count; i += 32) {
        connection.receive(http2_requests(next) + opening, now);
        while (connection.step() == Step::handle) {
            const Request& taken = connection.take_request();
            connection.respond(taken.id(), file.handle(taken), now);
        }
        const std::size_t size = connection.transmit().part_bytes();
        if (size < 32 * content_bytes) give_up("streams");
        connection.transmitted(size, now);
    }
}

void answer_by_handler(long count) {
    CachedFile file;
    answer_requests(file, count);
}

/// The same answer, compressed before and kept.
int answer_compressed(long count) {
    if (compress::available().empty()) return left_out;
    CachedFile file;
    const auto compressor = compress::around(file, {.tags_are_unique = true});
    answer_requests(**compressor, count, 1);
    if ((*compressor)->counts().compressed != 1) give_up("compressed");
    return EXIT_SUCCESS;
}

/// The same answer through a router, by a function with a parameter.
void answer_by_router(long routes, long count) {
    CachedFile file;
    web::Router router;
    router.add("GET /{name}", [&file](const web::Call& call) -> Reply {
        if (call.parameter("name").empty()) give_up("parameter");
        return file.handle(call.request());
    });
    for (long i = 1; i < routes; ++i)
        router.get("/service/" + std::to_string(i) + "/{id}", [] { return Response{}; });
    answer_requests(router, count);
}

class Client {
   public:
    explicit Client(std::string_view address) {
        const std::string_view port = address.substr(address.rfind(':') + 1);
        std::uint16_t number = 0;
        std::from_chars(port.data(), port.data() + port.size(), number);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(number);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
            give_up("connect");
    }
    /// Returns once `answers_size` bytes have come, with how many did.
    std::size_t ask(std::string_view requests, std::size_t answers_size) {
        if (::send(fd_, requests.data(), requests.size(), 0) != std::ssize(requests))
            give_up("send");
        std::size_t received = 0;
        while (received < answers_size) {
            const ssize_t size = ::recv(fd_, answers_.data(), answers_.size(), 0);
            if (size <= 0) give_up("recv");
            received += static_cast<std::size_t>(size);
        }
        return received;
    }

   private:
    int fd_ = ::socket(AF_INET, SOCK_STREAM, 0);  // until the program ends
    std::array<char, 32 * 1024> answers_;
};

/// From socket to socket: the whole server on its own thread. The client's instructions count along,
/// some hundred for each send.
template <typename Ask>
void serve(Handler& handler, Ask ask, server::Metrics* metrics = nullptr) {
    server::Server server{handler,
                          {.port = 0, .engine = "epoll-edge", .workers = 1, .metrics = metrics}};
    if (const auto listening = server.listen(); !listening) give_up(listening.error().message());
    const std::string address = server.addresses().front();
    const std::jthread serving{[&server] { static_cast<void>(server.run()); }};
    Client client{address};
    ask(client);
    server.stop_now();
}

void serve_requests(long count, server::Metrics* metrics = nullptr) {
    CachedFile file;
    const auto ask = [count](Client& client) {
        for (long i = 0; i < count; ++i) client.ask(request, content_bytes);
    };
    serve(file, ask, metrics);
}

void serve_counted_requests(long count) {
    server::Metrics metrics;
    serve_requests(count, &metrics);
}

/// Sixteen at a time, whose answers come in one piece.
void serve_pipelined_requests(long count) {
    std::string requests;
    for (long i = 0; i < pipelined_requests; ++i) requests += short_request;
    CachedFile file;
    serve(file, [&](Client& client) {
        const std::size_t answer_size = client.ask(short_request, content_bytes);
        for (long i = 0; i < count; i += pipelined_requests)
            client.ask(requests, pipelined_requests * answer_size);
    });
}

/// A message of 64 bytes there and back.
void serve_echoes(long count) {
    web::Router router;
    router.get("/", web::websocket([](web::WebSocket socket) -> web::Task<> {
                   while (const auto message = co_await socket.receive())
                       co_await socket.send(*message);
               }));
    const std::string payload(64, 'x');
    const std::string message = "\x82\xc0" + std::string(4, '\0') + payload;
    serve(router, [&](Client& client) {
        client.ask(
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            1);
        for (long i = 0; i < count; ++i) client.ask(message, 2 + payload.size());
    });
}

std::string_view instruction_set() {
    constexpr std::array<std::string_view, 3> names{"scalar", "sse42", "avx2"};
    return names[static_cast<std::size_t>(widest())];
}

int run(std::string_view work, long count) {
    if (work == "head") {
        read_heads(count);
    } else if (work == "answer") {
        answer_by_handler(count);
    } else if (work == "compressed") {
        return answer_compressed(count);
    } else if (work == "streams") {
        answer_streams(count);
    } else if (work == "routed_10") {
        answer_by_router(10, count);
    } else if (work == "routed_1000") {
        answer_by_router(1000, count);
    } else if (work == "server") {
        serve_requests(count);
    } else if (work == "counted") {
        serve_counted_requests(count);
    } else if (work == "pipelined") {
        serve_pipelined_requests(count);
    } else if (is_secure(work)) {
        return run_secure(work, count);
    } else if (work == "echo") {
        serve_echoes(count);
    } else {
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 2 && std::string_view{argv[1]} == "what") {
        std::printf("gcc %s, libstdc++ %d, glibc %s, %.*s\n", __VERSION__, __GLIBCXX__,
                    ::gnu_get_libc_version(), static_cast<int>(instruction_set().size()),
                    instruction_set().data());
        return EXIT_SUCCESS;
    }
    return argc == 3 ? run(argv[1], std::atol(argv[2])) : EXIT_FAILURE;
} catch (const std::exception& error) {
    std::fprintf(stderr, "hot_path: %s\n", error.what());
    return EXIT_FAILURE;
}
