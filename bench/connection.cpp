// What the protocol costs without a socket: from received bytes to bytes to send.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "http/http1/http1_connection.h"

namespace {

using namespace weir;
using namespace weir::http;

class Nobody final : public Origin {
   public:
    void append_address(std::string&) const override {}
    std::shared_ptr<Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }
};

/// As a cached file of 1 KB is answered: everything is borrowed, nothing is allocated.
Response cached_answer(const std::shared_ptr<const std::string>& content) {
    Response response;
    response.prepared_fields(
        "Content-Type: text/html; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        "ETag: \"1a2b3c4d5e6f\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    response.content_view(*content).retain(content);
    return response;
}

void answer_requests(benchmark::State& state, const std::string& request) {
    const auto content = std::make_shared<const std::string>(1024, 'x');
    const auto pipelined = static_cast<std::size_t>(state.range(0));
    std::string received;
    for (std::size_t i = 0; i < pipelined; ++i) received += request;
    const Limits limits;
    const Timeouts timeouts;
    Workspace workspace{limits, timeouts};
    Nobody origin;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Http1Connection connection{workspace, origin, now};
    for (auto _ : state) {
        connection.receive(received, now);
        while (connection.step() != Step::receive) {
            if (connection.step() == Step::handle) {
                const RequestId id = connection.take_request().id();
                connection.respond(id, cached_answer(content), now);
            } else {
                const Transmission transmission = connection.transmit();
                benchmark::DoNotOptimize(transmission.parts[0].data());
                connection.transmitted(transmission.part_bytes(), now);
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void connection_short_request(benchmark::State& state) {
    answer_requests(state, "GET /index.html HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n");
}
BENCHMARK(connection_short_request)->Arg(1)->Arg(16);

void connection_browser_request(benchmark::State& state) {
    answer_requests(
        state,
        "GET /index.html HTTP/1.1\r\nHost: www.example.org\r\nConnection: keep-alive\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like "
        "Gecko) Chrome/130.0.0.0 Safari/537.36\r\nAccept: text/html,application/"
        "xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
        "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-GB,en;q=0.9\r\n"
        "Cookie: session=0123456789abcdef0123456789abcdef\r\n\r\n");
}
BENCHMARK(connection_browser_request)->Arg(1)->Arg(16);

}  // namespace
