#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/websocket_frames.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace weir::web {

using namespace std::chrono_literals;
namespace frames = tests::websocket;

struct Counted {
    explicit Counted(int& of) : count{of} { ++count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --count; }
    int& count;
};

struct Sockets : ::testing::Test {
    Router router;
    Probe probe{router};
    WebSocketOptions options;
    std::string told;
    int alive = 0;

    template <typename Give>
    Probe::Exchange open(Give give) {
        router.get("/", websocket(std::move(give), options));
        return probe.open("GET", "/", frames::opening());
    }
    Probe::Exchange open_echo() {
        return open([this](WebSocket socket) -> Task<> {
            const Counted counted{alive};
            while (const auto message = co_await socket.receive()) co_await socket.send(*message);
            told = "closed " + std::to_string(std::to_underlying(socket.close_code())) + " " +
                   std::string{socket.close_reason()};
        });
    }
    static std::string got(Probe::Exchange& exchange) {
        return frames::shown(exchange.answer().content);
    }
};

}  // namespace weir::web
