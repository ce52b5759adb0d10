// Requests of coroutines that no server's engine drives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engines/engines.h"
#include "support/pattern.h"
#include "support/process.h"
#include "support/scripted_handler.h"
#include "support/server.h"
#include "weir/client/client.h"
#include "weir/server/run.h"
#include "weir/web/flag.h"
#include "weir/web/task_group.h"
#include "weir/web/together.h"

namespace weir::server {
namespace {

using std::chrono::milliseconds;
using tests::pattern;
using web::ClientError;
using web::Task;

/// A server of the test's handler, and a client without a server.
struct RunClient : testing::Test {
    RunClient() {
        options.connect = [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            ++connections;
            return tests::Server::connect_http1(workspace, origin, now);
        };
        upstream.emplace(*engines::find("per-core"), handler, options);
    }

    std::string url(std::string_view path) const {
        return "http://" + upstream->address().text() + std::string{path};
    }
    Task<std::string> content_of(std::string url_asked) {
        auto response = co_await client->get(std::move(url_asked));
        co_return co_await response.all();
    }
    /// The reason why a request fails.
    Task<std::optional<ClientError::Reason>> failure_of(std::string url_asked) {
        try {
            co_await client->get(std::move(url_asked));
            co_return std::nullopt;
        } catch (const ClientError& error) {
            co_return error.reason();
        }
    }
    /// Requests of these many tasks of a group.
    Task<> ask_at_once(int count, std::string url_asked, std::string expected) {
        auto all = [&](web::TaskGroup& tasks) -> Task<> {
            auto one = [&]() -> Task<> { EXPECT_EQ(co_await content_of(url_asked), expected); };
            for (int i = 0; i < count; ++i) tasks.start(one());
            co_await tasks.all();
        };
        co_await web::task_group(all);
    }
    /// A thread that opens the gate when the server has so many requests with the note "a".
    std::jthread open_after(int count) {
        return std::jthread{[this, count] {
            for (int i = 0; i < count; ++i) handler.journal.await("a handled");
            for (int i = 0; i < count; ++i) handler.gate.open();
        }};
    }

    std::atomic<int> connections{0};
    tests::ScriptedHandler handler;
    std::optional<web::Client> client{std::in_place};
    tests::Server::Options options;
    std::optional<tests::Server> upstream;
};

TEST_F(RunClient, AsksAServer) { EXPECT_EQ(run(content_of(url("/hello"))), "hello\n"); }

TEST_F(RunClient, UsesAConnectionAgain) {
    auto task = [&] -> Task<> {
        for (int i = 0; i < 20; ++i) EXPECT_EQ(co_await content_of(url("/hello")), "hello\n");
    };
    run(task());
    EXPECT_EQ(connections, 1);
}

TEST_F(RunClient, OpensAConnectionInEachRun) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run(content_of(url("/hello"))), "hello\n");
    EXPECT_EQ(connections, 3);
}

TEST_F(RunClient, TakesAndGivesContentOfAnySize) {
    constexpr std::size_t size = 500'000;
    auto task = [&] -> Task<std::string> {
        auto upload = co_await client->upload(web::ClientRequest{"POST", url("/echo")});
        const std::string content = pattern(0, size);
        for (std::size_t at = 0; at < size; at += 50'000)
            co_await upload.write(std::string_view{content}.substr(at, 50'000));
        auto response = co_await upload.response();
        co_return co_await response.all();
    };
    EXPECT_EQ(run(task()), pattern(0, size));
}

TEST_F(RunClient, LooksNamesUp) {
    const auto port = std::to_string(upstream->address().port());
    EXPECT_EQ(run(content_of("http://localhost:" + port + "/hello")), "hello\n");
    EXPECT_EQ(run(failure_of("http://does-not-exist.invalid/")), ClientError::Reason::no_address);
}

TEST_F(RunClient, AsksTwoAtOnce) {
    const auto opens = open_after(2);
    auto task = [&] -> Task<std::string> {
        auto [one, two] = co_await web::when_all(content_of(url("/later?note=a&is=1")),
                                                 content_of(url("/later?note=a&is=2")));
        co_return one + two;
    };
    EXPECT_EQ(run(task()), "later 1later 2");
}

/// More than a thread that serves a connection beside them could have.
TEST_F(RunClient, AsksManyAtOnce) {
    constexpr int count = 200;
    const auto opens = open_after(count);
    run(ask_at_once(count, url("/later?note=a&is=this"), "later this"));
    EXPECT_EQ(connections, count);
}

TEST_F(RunClient, WaitsForAConnectionIfThereIsALimit) {
    client.emplace(web::ClientOptions{.connections_max = 3});
    run(ask_at_once(50, url("/hello"), "hello\n"));
    EXPECT_LE(connections, 3);
}

TEST_F(RunClient, FailsWithoutAServer) {
    const net::UniqueFd nobody = tests::bound_socket();
    const auto address = net::Address::of_socket(nobody.get())->text();
    EXPECT_EQ(run(failure_of("http://" + address)), ClientError::Reason::unreachable);
}

TEST_F(RunClient, FailsWithoutADescriptor) {
    auto task = [&] -> Task<std::optional<ClientError::Reason>> {
        const tests::FewDescriptors none{0};
        co_return co_await failure_of(url("/hello"));
    };
    EXPECT_EQ(run(task()), ClientError::Reason::unreachable);
}

TEST_F(RunClient, DoesNotBeginWithoutADescriptor) {
    const tests::FewDescriptors one{1};
    EXPECT_THROW(run(content_of(url("/hello"))), std::system_error);
}

TEST_F(RunClient, GivesARequestUpInTime) {
    client.emplace(web::ClientOptions{.response_timeout = milliseconds{20}});
    EXPECT_EQ(run(failure_of(url("/never"))), ClientError::Reason::timed_out);
}

TEST_F(RunClient, EndsARequestThatTakesTooLong) {
    auto task = [&] -> Task<> {
        co_await web::with_timeout(milliseconds{20}, content_of(url("/never")));
    };
    EXPECT_THROW(run(task()), web::TimedOut);
}

TEST_F(RunClient, TellsTheServerThatARequestEnds) {
    const web::Flag is_asked;
    const std::jthread other{[&] {
        handler.journal.await("a handled");
        is_asked.set();
    }};
    auto task = [&] -> Task<std::size_t> {
        auto first = co_await web::when_any(content_of(url("/gated?note=a")), is_asked.wait());
        co_return first.index();
    };
    EXPECT_EQ(run(task()), 1U);
    handler.journal.await("a streamed: peer gone");
}

TEST_F(RunClient, KeepsNoConnectionThatNoRequestNeeds) {
    const net::UniqueFd silent = tests::bound_socket();
    ASSERT_EQ(::listen(silent.get(), 8), 0);
    const auto silent_url = "http://" + net::Address::of_socket(silent.get())->text();
    auto task = [&] -> Task<> {
        const int before = tests::open_descriptors();
        for (int i = 0; i < 5; ++i) {
            co_await web::when_any(content_of(silent_url), web::sleep_for(milliseconds{0}));
            co_await web::sleep_for(milliseconds{1});
        }
        EXPECT_EQ(tests::open_descriptors(), before);
    };
    run(task());
}

/// The rest of a response does not outlive its connection.
TEST_F(RunClient, ResponseEndsWithItsRun) {
    auto begins = [&] -> Task<web::ClientResponse> {
        co_return co_await client->get(url("/gated?note=a"));
    };
    auto response = run(begins());
    EXPECT_EQ(response.status(), http::Status::ok);
    auto ends = [&] -> Task<> { co_await response.all(); };
    EXPECT_THROW(run(ends()), ClientError);
}

/// Each run has connections of its own, also of one thread.
TEST_F(RunClient, AsksWithinATaskOfAnotherRun) {
    auto task = [&] -> Task<std::string> {
        std::string all = co_await content_of(url("/text?is=1"));
        all += run(content_of(url("/text?is=2")));
        all += co_await content_of(url("/text?is=3"));
        co_return all;
    };
    EXPECT_EQ(run(task()), "123");
    EXPECT_EQ(connections, 2);
}

TEST_F(RunClient, IsUsedByThreads) {
    constexpr int count = 4;
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([this] {
            for (int k = 0; k < 5; ++k) EXPECT_EQ(run(content_of(url("/hello"))), "hello\n");
        });
    threads.clear();
    EXPECT_EQ(connections, 5 * count);
}

TEST_F(RunClient, LeavesNoDescriptor) {
    run(content_of(url("/hello")));
    upstream.reset();
    const int before = tests::open_descriptors();
    for (int i = 0; i < 3; ++i) run(failure_of("http://127.0.0.1:1/"));
    EXPECT_EQ(tests::open_descriptors(), before);
}

}  // namespace
}  // namespace weir::server
