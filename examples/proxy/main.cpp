// A reverse proxy in two coroutines: one passes the request on, the other its answer. Neither holds
// more than a piece of the content: a slow peer slows the upstream down, and the other way round.
// The sockets of the upstream block, so threads wait for them. Try it:
//
//     proxy 127.0.0.1:8000 127.0.0.1 9000
//
// The proxy gives an upstream up that is silent for ten seconds, or for those of a fourth argument. It
// is a showcase, not a product: each request has an upstream connection of its own, in HTTP/1.0.

#include <weir/web.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "upstream.h"

using namespace weir::web;

namespace {

bool is_same(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
    });
}

/// Fields of one connection (RFC 9110 7.6.1), and those that this proxy or weir writes itself.
bool is_passed_on(std::string_view name) {
    constexpr std::array held{
        "Connection", "Keep-Alive",     "Proxy-Connection", "TE",   "Transfer-Encoding",
        "Upgrade",    "Content-Length", "Expect",           "Date", "Trailer"};
    return std::ranges::none_of(held, [&](std::string_view each) { return is_same(each, name); });
}

std::string head_for_upstream(const Call& call) {
    const auto& request = call.request();
    std::string head = std::string{request.method_text()} + ' ' + std::string{request.target()} +
                       " HTTP/1.0\r\nX-Forwarded-For: " + call.peer_address() + "\r\n";
    if (const auto length = request.content_length())
        head += "Content-Length: " + std::to_string(*length) + "\r\n";
    for (const auto& line : request.fields())
        if (is_passed_on(request.name_of(line)))
            head.append(request.name_of(line)).append(": ").append(request.value_of(line)) +=
                "\r\n";
    return head + "\r\n";
}

/// Takes one line off the front of `text`.
std::string_view take_line(std::string_view& text) {
    const auto end = text.find("\r\n");
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 2);
    return line;
}

/// The status and the fields of the upstream's answer. `head` begins behind them afterwards.
Response response_for_peer(const Call& call, std::string_view& head,
                           const std::shared_ptr<Upstream>& upstream, Workers& workers) {
    const auto first_line = take_line(head);
    unsigned status = 0;
    if (first_line.size() >= 12)
        std::from_chars(first_line.data() + 9, first_line.data() + 12, status);
    if (status < 200 || status > 599)
        throw Refusal{Status::bad_gateway, "The upstream is no server"};

    std::string type = "application/octet-stream";
    std::vector<std::pair<std::string, std::string>> fields;
    for (auto line = take_line(head); !line.empty(); line = take_line(head)) {
        const auto colon = std::min(line.find(':'), line.size());
        const auto name = line.substr(0, colon);
        auto value = line.substr(std::min(colon + 1, line.size()));
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        if (is_same(name, "Content-Type"))
            type = value;
        else if (is_passed_on(name))
            fields.emplace_back(name, value);
    }
    Response response{Status{static_cast<std::uint16_t>(status)}};
    if (weir::http::may_have_content(response.status())) {
        response = stream(call, type,
                          [upstream, &workers, begin = std::string{head}](Stream out) -> Task<> {
                              co_await out.write(begin);
                              for (;;) {
                                  const auto piece = co_await offload(
                                      workers, [&] { return upstream->receive(); });
                                  if (piece.empty()) co_return;
                                  co_await out.write(piece);
                              }
                          },
                          {.status = response.status()});
    }
    for (const auto& [name, value] : fields) response.add(name, value);
    return response;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: proxy ADDRESS UPSTREAM-HOST UPSTREAM-PORT [SECONDS]\n");
        return 2;
    }
    const std::string host = arguments[2], port = arguments[3];
    const std::chrono::seconds timeout{count > 4 ? std::atoi(arguments[4]) : 10};
    Workers workers{64};  // each exchange keeps one of them while it waits for the upstream
    Router router;
    router.add("/", [&](Call call) -> Task<Response> {
        std::shared_ptr<Upstream> upstream;
        std::string head;
        if (call.request().content_pending() && !call.request().content_length())
            throw Refusal{Status::length_required, "HTTP/1.0 has no chunks"};
        try {
            upstream = co_await offload(
                workers, [&] { return std::make_shared<Upstream>(host, port, timeout); });
            co_await offload(workers, [&] { upstream->send(head_for_upstream(call)); });
            auto body = call.body();
            if (call.request().content_pending())
                while (const auto piece = co_await body.next())
                    co_await offload(workers, [&] { upstream->send(*piece); });
            head = co_await offload(workers, [&] { return upstream->receive_head(); });
        } catch (const Upstream::TooSlow& error) {
            throw Refusal{Status::gateway_timeout, error.what()};
        } catch (const std::runtime_error& error) {
            throw Refusal{Status::bad_gateway, error.what()};
        }
        std::string_view rest = head;
        co_return response_for_peer(call, rest, upstream, workers);
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
