// uwebsockets-peer PORT WORKERS: a program on uWebSockets with the three routes of the lab's experiment `programs`. Each
// worker is a thread with an App, a loop and a listening socket (SO_REUSEPORT) of its own.
//
// uWebSockets has no JSON, so the object is put together as a text: of all programs, this one has the least work there.

#include <App.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr unsigned IDLE_SECONDS = 120;
constexpr unsigned MESSAGE_BYTES_MAX = 1024 * 1024;  // as weir

using Response = uWS::HttpResponse<false>;
using Socket = uWS::WebSocket<false, true, char>;

struct Reader {
    bool active;
    int id;
    std::string_view name;
    double score;
    std::array<std::string_view, 2> tags;
};

std::string greeting(std::string_view name) { return "Hello, " + std::string{name} + "!\n"; }

void append(std::string& text, auto number) {
    char digits[32];
    text.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

std::string json_of(const Reader& reader) {
    std::string text = reader.active ? "{\"active\":true,\"id\":" : "{\"active\":false,\"id\":";
    append(text, reader.id);
    text.append(",\"name\":\"").append(reader.name).append("\",\"score\":");
    append(text, reader.score);
    text.append(",\"tags\":[\"").append(reader.tags[0]).append("\",\"").append(reader.tags[1]);
    return text.append("\"]}");
}

std::string object(std::string_view name) {
    return json_of({true, 42, name, 12.5, {"http", "json"}});
}

template <typename Content>
void add_route(uWS::App& app, const std::string& pattern, std::string_view type, Content content) {
    app.get(pattern, [=](Response* response, uWS::HttpRequest* request) {
        response->writeHeader("Content-Type", type)->end(content(request->getParameter(0)));
    });
    // endWithoutBody() with a length would not end the response in this version.
    app.head(pattern, [=](Response* response, uWS::HttpRequest* request) {
        response->writeHeader("Content-Type", type)
            ->writeHeader("Content-Length", content(request->getParameter(0)).size())
            ->endWithoutBody();
    });
}

void serve(int port) {
    uWS::App app;
    add_route(app, "/hello/:name", "text/plain; charset=utf-8", greeting);
    add_route(app, "/json/:name", "application/json", object);
    app.ws<char>("/echo", {.compression = uWS::DISABLED,
                           .maxPayloadLength = MESSAGE_BYTES_MAX,
                           .idleTimeout = IDLE_SECONDS,
                           .message = [](Socket* socket, std::string_view message,
                                         uWS::OpCode kind) { socket->send(message, kind); }});
    app.any("/*", [](Response* response, uWS::HttpRequest*) {
        response->writeStatus("404 Not Found")->end();
    });
    app.listen("127.0.0.1", port, [port](us_listen_socket_t* listener) {
        if (listener) return;
        std::fprintf(stderr, "uwebsockets-peer: cannot listen on port %d\n", port);
        std::exit(1);
    });
    app.run();
}

std::optional<int> number(const char* text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error != std::errc{} || *end != '\0' || value < 1) return std::nullopt;
    return value;
}

}  // namespace

int main(int count, char** words) {
    const auto port = count == 3 ? number(words[1]) : std::nullopt;
    const auto workers = count == 3 ? number(words[2]) : std::nullopt;
    if (!port || !workers) {
        std::fputs("usage: uwebsockets-peer PORT WORKERS\n", stderr);
        return 1;
    }
    std::vector<std::jthread> threads;
    for (int worker = 0; worker < *workers; ++worker) threads.emplace_back(serve, *port);
}
