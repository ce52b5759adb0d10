// Handlers of weir::web under every engine: which thread they run on, and what becomes of them.

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <coroutine>
#include <new>
#include <thread>

#include "contract/web_fixture.h"

namespace weir::tests {
namespace {

using namespace std::chrono_literals;
using web::Call;
using web::Task;

/// A foreign awaiter: resumes on a thread of its own.
struct OnAnotherThread {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) {
        std::thread{[frame] { frame.resume(); }}.detach();
    }
    int await_resume() const noexcept { return 7; }
};

struct Pair {
    Pair() {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::bad_alloc{};
        out = ends[0];
        in = ends[1];
    }
    ~Pair() {
        ::close(in);
        ::close(out);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    int in;
    int out;
};

Task<> produce(web::Channel<int> to, int n, web::Workers& workers, std::atomic<int>& alive) {
    const Counted counted{alive};
    for (int i = 1; i <= n; ++i) {
        const int value = co_await web::offload(workers, [i] { return i; });
        co_await to.send(value);
    }
    to.close();
}

struct WebContract : WebFixture {
    void SetUp() override {
        Contract::SetUp();
        router.get("/hello", [] { return web::text("hello"); });
        router.get("/user/{id}", [](const Call& call) {
            return web::text("user " + std::string{call.parameter("id")});
        });
        router.post("/echo",
                    [](const Call& call) { return web::text(std::string{call.content()}); });
        router.get("/callback", [this](Call call) {
            background.post(std::make_shared<Answering>(std::move(call)));
        });
        router.get("/sleep", [](Call) -> Task<web::Response> {
            co_await web::sleep_for(20ms);
            co_return web::text("slept");
        });
        router.get("/offload/{n}", [this](Call call) -> Task<web::Response> {
            const Counted counted{alive};
            const int n = call.parameter<int>("n").value_or(0);
            // Until the first wait, a pool of the engine may run it.
            int sum = co_await web::offload(background, [] { return 0; });
            const auto thread = std::this_thread::get_id();
            bool same = true;
            // There, a connection may have another thread in each of its turns.
            const bool may_move = engine().name == "select-threads";
            for (int i = 1; i <= n; ++i) {
                sum = co_await web::offload(background, [sum, i] { return sum + i; });
                same = same && (may_move || thread == std::this_thread::get_id());
            }
            co_return web::text(std::to_string(sum) + (same ? "" : " on another thread"));
        });
        router.post("/body", [this](Call call) -> Task<web::Response> {
            const Counted counted{alive};
            std::string all;
            auto body = call.body();
            while (const auto piece = co_await body.next()) {
                co_await web::offload(background, [&] { all += *piece; });
                co_await web::sleep_for(1ms);
            }
            co_return web::text(std::move(all));
        });
        router.get("/stream/{n}", [this](const Call& call) {
            const int n = call.parameter<int>("n").value_or(0);
            return web::stream(call, "text/plain", [this, n](web::Stream out) -> Task<> {
                const Counted counted{alive};
                std::string piece;
                for (int i = 0; i < n; ++i) {
                    piece = pattern(static_cast<std::size_t>(i) * 10'000, 10'000);
                    co_await out.write(piece);
                    if (i % 8 == 0) co_await web::offload(background, [] {});
                }
            });
        });
        router.get("/together/{n}", [this](Call call) -> Task<web::Response> {
            const Counted counted{alive};
            const int n = call.parameter<int>("n").value_or(0);
            const web::Channel<int> numbers{2};
            int sum = co_await web::task_group([&](web::TaskGroup& tasks) -> Task<int> {
                tasks.start(produce(numbers, n, background, alive));
                int received = 0;
                while (const auto value = co_await web::with_timeout(1h, numbers.receive()))
                    received += *value;
                co_return received;
            });
            const web::Flag flag;
            const auto set = [flag] { flag.set(); };
            const auto [one, seven, nothing, also] = co_await web::when_all(
                web::offload(background, [] { return 1; }), OnAnotherThread{}, flag.wait(),
                web::offload(background, set));
            const auto first = co_await web::when_any(web::sleep_for(1h), OnAnotherThread{});
            sum += one + seven + std::get<1>(first);
            co_return web::text(std::to_string(sum));
        });
        router.get("/descriptor/{n}", [this](Call call) -> Task<web::Response> {
            const Counted counted{alive};
            const Pair pair;
            int received = 0;
            for (int i = call.parameter<int>("n").value_or(0); i > 0; --i) {
                background.post(std::make_shared<Writing>(pair));
                co_await web::when_any(web::readable(pair.out), web::sleep_for(1h));
                char byte = 0;
                received += static_cast<int>(::read(pair.out, &byte, 1));
            }
            co_return web::text(std::to_string(received));
        });
        router.post("/hints", [](Call call) -> Task<web::Response> {
            co_await web::early_hints(call, "</style.css>; rel=preload");
            co_return web::text(std::string{co_await call.body().all()});
        });
        router.group("/limited")
            .use(web::content_limit(100'000))
            .post("/", [this](Call call) -> Task<web::Response> {
                const Counted counted{alive};
                std::size_t bytes = 0;
                auto body = call.body();
                while (const auto piece = co_await body.next()) bytes += piece->size();
                co_return web::text(std::to_string(bytes));
            });
        router.get("/events", [this](const Call& call) {
            return web::events(call, [this](web::Events out) -> Task<> {
                const Counted counted{alive};
                for (;;) {
                    co_await out.send({.data = "tick"});
                    co_await web::sleep_for(1h);
                }
            });
        });
        router.get("/until-stop", [this](const Call& call) {
            return web::stream(call, "text/plain", [this](web::Stream out) -> Task<> {
                const Counted counted{alive};
                co_await out.write("begun ");
                co_await web::when_any(out.stopping(), web::sleep_for(1h));
                co_await out.write("stopped");
            });
        });
        router.get("/waits", [this](Call call) -> Task<web::Response> {
            const Counted counted{alive};
            const std::stop_callback told{call.stop_token(), [this] {
                                              ++stops;
                                              stops.notify_all();
                                          }};
            ++begun;
            begun.notify_all();
            co_await web::sleep_for(1h);
            co_return web::Response{};
        });
    }
    struct Writing final : web::detail::Job {
        explicit Writing(const Pair& pair) : fd{::dup(pair.in)} {}
        ~Writing() override { ::close(fd); }
        // The request may have ended, and with it the other end.
        void run() noexcept override { static_cast<void>(::send(fd, "x", 1, MSG_NOSIGNAL)); }
        int fd;
    };
    struct Answering final : web::detail::Job {
        explicit Answering(Call&& own) : call{std::move(own)} {}
        void run() noexcept override { call.respond(web::text("from another thread")); }
        Call call;
    };

    std::atomic<int> begun{0};
    std::atomic<int> stops{0};
};
WEIR_OVER_EVERY_ENGINE(WebContract);

TEST_P(WebContract, EveryFormOfHandlerAnswers) {
    auto peer = web_client();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(peer.ask(get("/hello")).content, "hello");
        EXPECT_EQ(peer.ask(get("/user/7%20x")).content, "user 7 x");
        EXPECT_EQ(peer.ask(post("/echo", pattern(0, 100'000))).content, pattern(0, 100'000));
        EXPECT_EQ(peer.ask(get("/callback")).content, "from another thread");
        EXPECT_EQ(peer.ask(get("/sleep")).content, "slept");
        EXPECT_EQ(peer.ask(get("/nothing")).status, 404);
    }
}

TEST_P(WebContract, CoroutinesResumeOnTheThreadOfTheirConnection) {
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/offload/20")).content, "210");
    EXPECT_EQ(peer.ask(get("/offload/20")).content, "210");
}

TEST_P(WebContract, CoroutinesWaitForSeveralThings) {
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/together/50")).content, std::to_string(50 * 51 / 2 + 15));
    EXPECT_EQ(peer.ask(get("/together/0")).content, "15");
    expect_all_gone();
}

TEST_P(WebContract, CoroutinesWaitForDescriptors) {
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/descriptor/20")).content, "20");
    expect_all_gone();
}

TEST_P(WebContract, PipelinedStayInOrder) {
    auto peer = web_client();
    peer.send(get("/sleep") + get("/hello") + get("/offload/3") + get("/callback") + get("/hello"));
    for (const char* const content : {"slept", "hello", "6", "from another thread", "hello"})
        EXPECT_EQ(peer.answer().content, content);
}

TEST_P(WebContract, ContentIsReadAtTheCoroutinesPace) {
    auto peer = web_client();
    const std::string content = pattern(0, 300'000);
    EXPECT_EQ(peer.ask(post("/body", content)).content, content);
    expect_all_gone();
}

TEST_P(WebContract, StreamsReachThePeerWhole) {
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/stream/100")).content, pattern(0, 1'000'000));
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello");
    expect_all_gone();
}

TEST_P(WebContract, HintsGoAheadOfTheAnswer) {
    auto peer = web_client();
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
    peer.send(post_head("/hints", 4));
    EXPECT_EQ(peer.take(hints.size()), hints);
    peer.send("page");
    EXPECT_EQ(peer.answer().content, "page");
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello");
}

TEST_P(WebContract, ContentHasTheLimitOfItsRoute) {
    {
        auto peer = web_client();
        EXPECT_EQ(peer.ask(post("/limited/", pattern(0, 100'000))).content, "100000");
    }
    auto peer = web_client();
    EXPECT_EQ(peer.ask(post("/limited/", pattern(0, 100'001))).status, 413);
    expect_all_gone();
}

TEST_P(WebContract, StreamsHearOfTheStop) {
    options.engine.stop_timeout = for_ever;
    for (const std::string_view path : {"/events", "/until-stop"}) {
        auto peer = web_client();
        peer.send("GET " + std::string{path} + " HTTP/1.0\r\n\r\n");  // not chunked
        EXPECT_EQ(peer.answer_head().status, 200);
        const std::string begun_with = path == "/events" ? "data: tick\n\n" : "begun ";
        EXPECT_EQ(peer.take(begun_with.size()), begun_with);
        web_server->drain();
        std::string rest;
        EXPECT_EQ(peer.ending(&rest), Ending::closed);
        EXPECT_EQ(rest, path == "/events" ? "" : "stopped");
        peer.close();
        EXPECT_FALSE(web_server->wait());
        web_server.reset();
    }
    EXPECT_EQ(alive, 0);
}

TEST_P(WebContract, CoroutinesEndWhenTheServerStops) {
    if (engine().forks) GTEST_SKIP() << engine().name << ": its coroutines are in other processes";
    auto peer = web_client();
    peer.send(get("/waits"));
    begun.wait(0);
    web_server->stop_now();
    web_server->wait();
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(stops, 1);
}

TEST_P(WebContract, CoroutinesEndWhenThePeerCloses) {
    if (engine().forks) GTEST_SKIP() << engine().name << ": its coroutines are in other processes";
    auto peer = web_client();
    peer.send(get("/waits"));
    begun.wait(0);
    peer.close();
    stops.wait(0);
    EXPECT_EQ(stops, 1);
    stop_and_expect_all_gone();
}

TEST_P(WebContract, CoroutinesEndWhenThePeerLeavesAtAnyPoint) {
    for (int i = 0; i < 50; ++i) {
        auto peer = web_client();
        switch (i % 6) {
            case 0: peer.send(get("/offload/1000")); break;
            case 4: peer.send(get("/descriptor/1000")); break;
            case 1: peer.send(get("/stream/10000")); break;
            case 2: peer.send(post_head("/body", 100'000) + pattern(0, 40'000)); break;
            case 3: peer.send(get("/together/1000")); break;
            default: peer.send(get("/waits")); break;
        }
        if (i % 12 < 6) peer.reset();
    }
    stop_and_expect_all_gone();
}

}  // namespace
}  // namespace weir::tests
