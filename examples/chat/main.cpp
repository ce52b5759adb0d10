// A chat in the browser: what one says, all see. Open http://127.0.0.1:8000 in two windows.

#include <weir/web.h>

#include <iostream>

#include "page.h"

int main(int count, char** arguments) {
    weir::web::Topics topics{{.slow_reader = weir::web::CloseCode::policy_violation}};
    weir::web::Router router;
    router.get("/{$}", [] { return weir::web::html(page); });
    const auto chat = [&topics](weir::web::WebSocket socket) -> weir::web::Task<> {
        const auto subscription = topics.subscribe("chat", socket.sender());
        while (const auto message = co_await socket.receive())
            topics.publish("chat", message->data, message->kind);
    };
    router.get("/chat", weir::web::websocket(chat, {.message_bytes_max = 4096}));

    weir::server::Options options{.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}};
    weir::server::Server server{router, options};
    if (const auto served = server.run_until_signal(); !served) {
        std::cerr << served.error().message() << '\n';
        return 1;
    }
}
