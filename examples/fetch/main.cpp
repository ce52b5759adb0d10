// Prints the content at a URL: a coroutine in a program without a server. Try it:
//
//     fetch https://example.org/

#include <weir/tls/tls.h>
#include <weir/web.h>

#include <cstdio>
#include <stdexcept>

using namespace weir::web;

namespace {

/// False if the response is none of 2xx.
Task<bool> print(Client& client, std::string url) {
    auto response = co_await client.get(std::move(url));
    while (const auto piece = co_await response.next())
        std::fwrite(piece->data(), 1, piece->size(), stdout);
    co_return response.is_ok();
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 2) return std::fprintf(stderr, "usage: fetch URL\n"), 2;
    const auto tls = weir::tls::open_client();
    if (!tls) throw std::runtime_error{tls.error()};
    Client client{{.tls = *tls}};
    return weir::server::run(print(client, arguments[1])) ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "fetch: %s\n", error.what());
    return 1;
}
