#include "weir/server/finished.h"

#include <gtest/gtest.h>

#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "server/entrance/endpoint.h"
#include "support/client.h"
#include "unit/server/recording_log.h"
#include "weir/server/server.h"
#include "weir/web/router.h"

namespace weir::server {
namespace {

/// "GET /notes/{id} 200 4 sent 127.0.0.1".
std::string text_of(const Finished& finished, const web::Router& router) {
    std::string text = "unreadable";
    if (finished.request != nullptr) {
        text = router.pattern_of(*finished.request);
        if (text.empty()) text = "no route";
    }
    text += " " + std::to_string(http::code(finished.status));
    text += " " + std::to_string(finished.content_bytes);
    text += finished.outcome == http::Outcome::sent ? " sent " : " cut ";
    return text + finished.peer();
}

struct Finishes : ::testing::TestWithParam<const char*> {
    RecordingLog log;
    web::Router router;
    std::mutex mutex;
    std::vector<std::string> told;
    std::counting_semaphore<> came{0};

    Finishes() {
        router.get("/notes/{id}", [] { return web::text("note"); });
        router.mount("/below", std::make_unique<web::Router>());
    }
    Options options(std::function<void(const Finished&)> finished) {
        return {
            .addresses = {"127.0.0.1:0"}, .engine = GetParam(), .finished = std::move(finished)};
    }
    void run(Options options, const std::function<void(const net::Address&)>& use) {
        Server server{router, std::move(options), log};
        ASSERT_TRUE(server.listen().has_value());
        std::jthread thread{[&] { EXPECT_TRUE(server.run().has_value()); }};
        use(parse_endpoint(server.addresses()[0], 0).value());
        server.stop_now();
    }
};

TEST_P(Finishes, AreToldWithTheirRoute) {
    const auto note = [this](const Finished& finished) {
        EXPECT_GE(finished.duration.count(), 0);
        const std::scoped_lock lock{mutex};
        told.push_back(text_of(finished, router));
        came.release();
    };
    run(options(note), [&](const net::Address& address) {
        for (const char* line :
             {"GET /notes/7", "HEAD /notes/7", "GET /none", "GET /below/x", "{}"}) {
            tests::Client client{address};
            client.send(std::string{line} + " HTTP/1.1\r\nHost: a\r\n\r\n");
            came.acquire();
        }
    });
    ASSERT_EQ(told.size(), 5u);
    EXPECT_EQ(told[0], "GET /notes/{id} 200 4 sent 127.0.0.1");
    EXPECT_EQ(told[1], "GET /notes/{id} 200 0 sent 127.0.0.1");
    EXPECT_TRUE(told[2].starts_with("no route 404 ")) << told[2];
    EXPECT_TRUE(told[3].starts_with("/below/ 404 ")) << told[3];
    EXPECT_TRUE(told[4].starts_with("unreadable 400 ")) << told[4];
}

TEST_P(Finishes, LogAnExceptionOfTheFunction) {
    const auto fail = [this](const Finished&) {
        came.release();
        throw std::runtime_error{"on purpose"};
    };
    run(options(fail), [&](const net::Address& address) {
        const std::string get = "GET /notes/7 HTTP/1.1\r\nHost: a\r\n\r\n";
        EXPECT_EQ(tests::Client{address}.ask(get).content, "note");
        came.acquire();
        EXPECT_EQ(tests::Client{address}.ask(get).content, "note");
        came.acquire();
    });
    ASSERT_EQ(log.messages().size(), 2u);
    EXPECT_EQ(log.messages()[0], "the function of Options::finished threw an exception");
}

INSTANTIATE_TEST_SUITE_P(Engines, Finishes,
                         ::testing::Values("epoll-edge", "thread-per-connection", "thread-pool"),
                         [](const auto& engine) {
                             std::string name = engine.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace weir::server
