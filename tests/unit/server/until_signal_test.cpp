#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <semaphore>
#include <thread>

#include "server/entrance/endpoint.h"
#include "support/client.h"
#include "unit/server/recording_log.h"
#include "weir/server/server.h"
#include "weir/web/router.h"

namespace weir::server {
namespace {

using tests::Client;

const std::string get = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n";

volatile std::sig_atomic_t own_signals = 0;

/// A server whose requests wait for the test.
struct UntilSignal : ::testing::Test {
    web::Router router;
    RecordingLog log;
    std::binary_semaphore opened{0};
    std::counting_semaphore<> asked{0};
    std::optional<web::Call> kept;
    std::optional<Server> server;
    std::jthread thread;

    void start() {
        router.get("/wait", [this](web::Call call) {
            kept.emplace(std::move(call));
            asked.release();
        });
        server.emplace(router,
                       Options{.addresses = {"127.0.0.1:0"},
                               .engine = "epoll-edge",
                               .stop_timeout = std::chrono::hours{1},
                               .opened = [this] { opened.release(); }},
                       log);
        thread = std::jthread{[this] { EXPECT_TRUE(server->run_until_signal().has_value()); }};
        opened.acquire();
    }
    Client client() { return Client{parse_endpoint(server->addresses()[0], 0).value()}; }
    static void send(int signal) { ASSERT_EQ(::kill(::getpid(), signal), 0); }
};

struct UntilEachSignal : UntilSignal, ::testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Signals, UntilEachSignal, ::testing::Values(SIGINT, SIGTERM));

TEST_P(UntilEachSignal, FinishesItsRequests) {
    start();
    auto peer = client();
    peer.send(get);
    asked.acquire();
    send(GetParam());
    while (!server->finishing().all_known) std::this_thread::yield();
    kept->respond(web::text("done"));
    EXPECT_EQ(peer.answer().content, "done");
    thread.join();
}

TEST_F(UntilSignal, TheSecondSignalEndsThem) {
    start();
    auto peer = client();
    peer.send(get);
    asked.acquire();
    send(SIGINT);
    while (!server->finishing().all_known) std::this_thread::yield();
    send(SIGINT);
    thread.join();
}

TEST_F(UntilSignal, TheProgramsHandlersAreBack) {
    const auto before = std::signal(SIGTERM, [](int) { own_signals = own_signals + 1; });
    start();
    send(SIGTERM);
    thread.join();
    EXPECT_EQ(own_signals, 0);
    send(SIGTERM);
    EXPECT_EQ(own_signals, 1);
    std::signal(SIGTERM, before);
}

TEST_F(UntilSignal, OneServerAtATime) {
    start();
    Server other{router, {.addresses = {"127.0.0.1:0"}}, log};
    const auto refused = other.run_until_signal();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, std::errc::device_or_resource_busy);
    send(SIGTERM);
    thread.join();
}

}  // namespace
}  // namespace weir::server
