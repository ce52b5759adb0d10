// Each allocation of a program's requests that fails: in coroutines and all that they await, in
// middleware, streams and WebSockets. The request ends, with an answer or without one, and what the
// coroutine had is gone. The next request is served.

#include <gtest/gtest.h>

#include <coroutine>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "faults/failing_new.h"
#include "weir/web.h"
#include "weir/web/early_hints.h"
#include "weir/web/probe.h"
#include "weir/web/probe_socket.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
using tests::FailingNew;

int alive = 0;
struct Counted {
    Counted() { ++alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --alive; }
};

/// Resumes on its own, at once.
struct Foreign {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) { frame.resume(); }
    int await_resume() const noexcept { return 7; }
};

Task<int> number(int of) {
    const Counted counted;
    co_await sleep_for(1s);
    co_return of;
}

Task<> fill(Channel<int> channel) {
    const Counted counted;
    for (int i = 0; i < 3; ++i) co_await channel.send(i);
    channel.close();
}

Task<Response> await_several(Call call) {
    const Counted counted;
    const auto [one, two] = co_await when_all(number(1), number(2));
    const auto first = co_await when_any(sleep_for(1s), number(3));
    const int in_time = co_await with_timeout(1h, number(4));
    const Channel<int> channel{1};
    const auto group = [channel](TaskGroup& tasks) -> Task<int> {
        tasks.start(fill(channel));
        int all = 0;
        while (const auto next = co_await channel.receive()) all += *next;
        co_return all;
    };
    const int sum = co_await task_group(group);
    const int foreign = co_await Foreign{};
    call.set(std::string(100, 'n'));
    co_return text(std::to_string(one + two + in_time + sum + foreign) +
                   std::to_string(first.index()));
}

Task<Response> read_content(Call call) {
    const Counted counted;
    std::string all;
    auto body = call.body();
    while (const auto piece = co_await body.next()) all += *piece;
    co_await early_hints(call, "</a>; rel=preload");
    co_return text(std::move(all));
}

Task<> write_range(Stream out, ByteRange range) {
    const Counted counted;
    co_await out.write(std::string(range.size, 'r'));
}

Task<> echo(WebSocket socket) {
    const Counted counted;
    const auto sender = socket.sender();
    while (const auto message = co_await socket.receive()) {
        co_await socket.send(*message);
        sender.send(std::string{message->data});
    }
}

struct WebMemory : ::testing::Test {
    WebMemory() {
        FailingNew::spare_this_thread();
        router.use(request_ids()).use(content_limit(100'000)).use(time_limit(1min));
        router.use([](Call call, Next next) -> Task<Response> {
            const Counted counted;
            call.set(7);
            auto response = co_await next();
            response.append("Vary", "Cookie");
            co_return response;
        });
        router.on_error([](const Error& error) { return problem({.status = error.status}); });
        router.get("/several", await_several).post("/content", read_content);
        router.get("/function",
                   [](const Call& call) { return text(call.query("q").value_or("")); });
        router.get("/throws", [](const Call&) -> Response { throw std::runtime_error{"no"}; });
        router.get("/ranges", [](const Call& call) {
            return resource(call, "text/plain", {.entity_tag = "\"1\""}, 50'000, write_range);
        });
        router.get("/socket", websocket(echo));
    }
    ~WebMemory() override { FailingNew::clear(); }

    Router router;
};

struct Request {
    std::string_view method;
    std::string_view target;
    Probe::Fields fields{};
    std::optional<std::string_view> content{};
    std::string_view expected{};
};

Probe::Answer ask(Probe& probe, const Request& request) {
    auto exchange = probe.open(request.method, request.target, request.fields, request.content);
    probe.advance(10s);
    return exchange.answer();
}

TEST_F(WebMemory, AllocationThatFailsEndsNothingButItsRequest) {
    const std::string content(50'000, 'c');
    const std::vector<Request> requests{
        {.method = "GET", .target = "/several", .expected = "170"},
        {.method = "POST", .target = "/content", .content = content, .expected = content},
        {.method = "GET", .target = "/function?q=a%20b", .expected = "a b"},
        {.method = "GET", .target = "/throws"},
        {.method = "GET", .target = "/nowhere"},
        {.method = "GET",
         .target = "/ranges",
         .fields = {{"Range", "bytes=1-3"}},
         .expected = "rrr"},
    };
    for (const Request& request : requests) {
        for (const auto protocol : {Probe::Protocol::http1, Probe::Protocol::http2}) {
            int failed = 0;
            for (int nth = 1; nth == 1 || FailingNew::failed() != 0; ++nth) {
                SCOPED_TRACE(std::string{request.target} + ", allocation " + std::to_string(nth));
                {
                    Probe probe{router};
                    probe.speak(protocol);
                    FailingNew::fail(nth);
                    try {
                        FailingNew::strike([&] { return ask(probe, request).status; });
                    } catch (const std::bad_alloc&) {  // an engine ends the connection
                    }
                    FailingNew::clear();
                    failed += FailingNew::failed();
                }
                EXPECT_EQ(alive, 0);
                Probe after{router};
                EXPECT_EQ(ask(after, request).content.find(request.expected), 0u);
            }
            EXPECT_GT(failed, 5) << request.target;
        }
    }
}

TEST_F(WebMemory, AllocationThatFailsEndsNothingButItsWebSocket) {
    for (int nth = 1; nth == 1 || FailingNew::failed() != 0; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        {
            Probe probe{router};
            FailingNew::fail(nth);
            try {
                FailingNew::strike([&] {
                    ProbeSocket peer{probe, "/socket"};
                    peer.send(std::string(1'000, 'w'));
                    return peer.has_next();
                });
            } catch (const std::bad_alloc&) {
            } catch (const std::runtime_error&) {  // refused
            }
            FailingNew::clear();
        }
        EXPECT_EQ(alive, 0);
        Probe after{router};
        ProbeSocket peer{after, "/socket"};
        peer.send("hello");
        EXPECT_EQ(peer.receive(), "hello");
    }
}

}  // namespace
}  // namespace weir::web
