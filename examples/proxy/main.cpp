// A reverse proxy in two coroutines: one passes the request on, the other its response. Neither
// holds more than a piece of the content: a slow peer slows the upstream down, and the other way
// round. No thread waits: the engine drives the connections to the upstream, too. Try it:
//
//     proxy 127.0.0.1:8000 127.0.0.1 9000
//
// The proxy gives an upstream up that is silent for ten seconds, or for those of a fourth argument.
// It is a showcase: weir::proxy::proxy_to() also passes WebSockets on, and shares requests out.

#include <weir/web.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

using namespace weir::web;

namespace {

/// Fields of one connection (RFC 9110 7.6.1), and those that weir writes itself.
bool is_passed_on(std::string_view name) {
    constexpr std::array held{
        "Connection", "Keep-Alive",     "Proxy-Connection", "TE",   "Transfer-Encoding",
        "Upgrade",    "Content-Length", "Expect",           "Date", "Trailer"};
    return std::ranges::none_of(
        held, [&](std::string_view each) { return weir::http::equals_ignoring_case(each, name); });
}

ClientRequest request_for_upstream(const Call& call, const std::string& upstream) {
    const auto& request = call.request();
    ClientRequest out{std::string{request.method_text()}, upstream + std::string{request.target()}};
    for (const auto& line : request.fields())
        if (is_passed_on(request.name_of(line)))
            out.field(request.name_of(line), request.value_of(line));
    out.field("X-Forwarded-For", call.peer_address());
    return out;
}

Task<ClientResponse> pass_on(Client& client, Call& call, ClientRequest request) {
    if (!call.request().content_pending()) co_return co_await client.send(std::move(request));
    auto upload = co_await client.upload(std::move(request), call.request().content_length());
    auto body = call.body();
    while (const auto piece = co_await body.next())
        if (!co_await upload.write(*piece)) break;
    co_return co_await upload.response();
}

Response response_for_peer(const Call& call, ClientResponse response_of_upstream) {
    const auto from = std::make_shared<ClientResponse>(std::move(response_of_upstream));
    Response response{from->status()};
    constexpr std::string_view type = "Content-Type";
    if (weir::http::may_have_content(from->status()))
        response = stream(call, from->field(type).value_or("application/octet-stream"),
                          [from](Stream out) -> Task<> {
                              while (const auto piece = co_await from->next())
                                  co_await out.write(*piece);
                          },
                          {.status = from->status()});
    for (const auto& [name, value] : from->fields())
        if (is_passed_on(name) && !weir::http::equals_ignoring_case(name, type))
            response.add(name, value);
    return response;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: proxy ADDRESS UPSTREAM-HOST UPSTREAM-PORT [SECONDS]\n");
        return 2;
    }
    const std::string upstream = "http://" + std::string{arguments[2]} + ":" + arguments[3];
    const std::chrono::seconds timeout{count > 4 ? std::atoi(arguments[4]) : 10};
    Client client{{.response_timeout = timeout, .redirects_max = 0, .user_agent = ""}};
    Router router;
    router.add("/", [&](Call call) -> Task<Response> {
        auto response = co_await pass_on(client, call, request_for_upstream(call, upstream));
        co_return response_for_peer(call, std::move(response));
    });

    weir::server::Server server{router, {.addresses = {arguments[1]}}};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    server.run_until_signal();
}
