#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "contract/contract.h"
#include "weir/web.h"

namespace weir::tests {

/// Counts how many of it are alive, on any thread.
struct Counted {
    explicit Counted(std::atomic<int>& of) : alive{of} { ++alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --alive; }
    std::atomic<int>& alive;
};

/// Tests of programs with a router.
struct WebFixture : Contract {
    /// Before the members of a test, which its handlers use.
    void TearDown() override {
        web_server.reset();
        Contract::TearDown();
    }
    Client web_client(Client::Options of_client = {}) {
        if (!web_server) web_server.emplace(engine(), router, options);
        return web_server->client(of_client);
    }
    /// Frames that were lent to another thread go when that has finished.
    void expect_all_gone() const {
        const auto end = std::chrono::steady_clock::now() + time_limit;
        while (alive != 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        EXPECT_EQ(alive, 0);
    }
    void stop_and_expect_all_gone() {
        web_server->stop_now();
        web_server->wait();
        expect_all_gone();
    }

    std::atomic<int> alive{0};  // Counted
    web::Workers background{2};
    web::Router router;
    std::optional<Server> web_server;  // last: gone before what it uses
};

}  // namespace weir::tests
