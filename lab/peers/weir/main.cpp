// weir-program PORT ENGINE WORKERS: a program on weir::web with the three routes of the lab's experiment `programs`.

#include <weir/web.h>

#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "json.h"

namespace web = weir::web;

namespace {

struct Reader {
    bool active;
    int id;
    std::string name;
    double score;
    std::vector<std::string> tags;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reader, active, id, name, score, tags)

void add_routes(web::Router& router) {
    router.get("/hello/{name}", [](const web::Call& call) {
        return web::text("Hello, " + std::string{call.parameter("name")} + "!\n");
    });
    router.get("/json/{name}", [](const web::Call& call) {
        return web::json_from(
            Reader{true, 42, std::string{call.parameter("name")}, 12.5, {"http", "json"}});
    });
    router.get("/echo", web::websocket([](web::WebSocket socket) -> web::Task<> {
                   while (const auto message = co_await socket.receive())
                       co_await socket.send(*message);
               }));
}

std::optional<unsigned> number(const std::string& text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

int fail(const std::string& words) {
    std::cerr << "weir-program: " << words << '\n';
    return 1;
}

/// Prints the engine first, as the command weir does: the lab compares it with the one that it asked for.
int serve(unsigned port, const std::string& engine, unsigned workers) {
    web::Router router;
    add_routes(router);
    const weir::server::Options options{
        .addresses = {"127.0.0.1:" + std::to_string(port)}, .engine = engine, .workers = workers};
    weir::server::Server server{router, options};
    if (const auto listening = server.listen(); !listening)
        return fail(listening.error().message());
    std::cout << "engine " << server.engine();
    if (server.workers() != 0)
        std::cout << ", " << server.workers() << (server.workers() == 1 ? " worker" : " workers");
    std::cout << std::endl;
    const auto served = server.run_until_signal();
    return served ? 0 : fail(served.error().message());
}

}  // namespace

int main(int count, char** words) {
    const auto port = count == 4 ? number(words[1]) : std::nullopt;
    const auto workers = count == 4 ? number(words[3]) : std::nullopt;
    if (!port || !workers) return fail("usage: weir-program PORT ENGINE WORKERS");
    return serve(*port, words[2], *workers);
}
