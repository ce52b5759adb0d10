// What a program gets wrong is said at once, or can't go wrong. See refusals_test.py for what does not compile.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/form.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"

namespace weir::web {
namespace {

struct Misuse : ::testing::Test {
    Router router;
    Probe probe{router};
};

/// The message of the std::logic_error that the task throws.
Task<Response> message_of(Task<> task) {
    try {
        co_await task;
    } catch (const std::logic_error& error) {
        co_return text(error.what());
    }
    co_return text("no error");
}

Task<> nothing() { co_return; }

TEST_F(Misuse, OfAnEmptyTask) {
    router.get("/", []() -> Task<Response> { return message_of(Task<>{}); });
    EXPECT_EQ(probe.get("/").content, "an empty Task was awaited");
    router.get("/returned", []() -> Task<Response> { return {}; });
    EXPECT_EQ(probe.get("/returned").status, 500u);
}

Task<> await_twice() {
    auto task = nothing();
    co_await task;
    co_await task;
}

TEST_F(Misuse, OfATaskThatHasRun) {
    router.get("/", [] { return message_of(await_twice()); });
    EXPECT_EQ(probe.get("/").content, "a Task was awaited a second time");
}

TEST_F(Misuse, OfNullPointers) {
    EXPECT_THROW(router.use(nullptr), std::invalid_argument);
    EXPECT_THROW(router.mount("/", std::unique_ptr<http::Handler>{}), std::invalid_argument);
    EXPECT_EQ(probe.get("/").status, 404u);
}

TEST_F(Misuse, OfTheContent) {
    router.post("/next-all", [](Call call) -> Task<Response> {
        auto body = call.body();
        while (co_await body.next()) {}
        try {
            co_await body.all();
        } catch (const std::logic_error& error) {
            co_return text(error.what());
        }
        co_return text("no error");
    });
    router.post("/all-next", [](Call call) -> Task<Response> {
        auto body = call.body();
        const std::string all{co_await body.all()};
        bool has_thrown = false;
        try {
            co_await body.next();
        } catch (const std::logic_error&) {
            has_thrown = true;
        }
        co_return text(all + std::string{co_await body.all()} + (has_thrown ? "" : ", no error"));
    });
    EXPECT_EQ(probe.post("/next-all", "content").content,
              "the content of a request is read either in pieces or as a whole");
    EXPECT_EQ(probe.post("/all-next", "content").content, "contentcontent");
}

TEST_F(Misuse, OfAFormThatHasNotCome) {
    router.post("/of", [](Call call) -> Task<Response> {
        try {
            const Form form = Form::of(call);
        } catch (const std::logic_error& error) {
            co_return text(error.what());
        }
        co_return text("no error");
    });
    router.post("/read", [](Call call) -> Task<Response> {
        const Form form = co_await Form::read(call);
        co_return text(std::string{form.get("a").value_or("none")});
    });
    EXPECT_TRUE(probe.post("/of", "a=1").content.ends_with("take co_await Form::read(call)"));
    EXPECT_EQ(probe.post("/read", "a=%31").content, "1");
    EXPECT_EQ(probe.post("/read", "a=1", "text/plain").status, 415u);
}

TEST_F(Misuse, OfATemporaryForm) {
    router.post("/", [](const Call& call) {
        const auto value = Form::of(call).get("a");
        static_assert(std::is_same_v<decltype(value), const std::optional<std::string>>);
        return *value;
    });
    const std::string long_one(100, 'x');
    EXPECT_EQ(probe.post("/", "a=" + long_one).content, long_one);
}

TEST_F(Misuse, OfTemporariesThatAreWritten) {
    router.get("/", [](const Call& call) {
        return stream(call, "text/plain", [](Stream out) -> Task<> {
            auto&& write = out.write(std::string(100, 'x'));
            co_await std::move(write);
            co_await out.write("literal");
        });
    });
    EXPECT_EQ(probe.get("/").content, std::string(100, 'x') + "literal");
}

TEST_F(Misuse, OfShortHandlersIsNone) {
    router.get("/string", [] { return std::string{"a string"}; })
        .get("/literal", [](const Call&) { return "a literal"; })
        .get("/coroutine", []() -> Task<Response> { co_return text("a coroutine"); });
    EXPECT_EQ(probe.get("/string").content, "a string");
    EXPECT_EQ(probe.get("/string").field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(probe.get("/literal").content, "a literal");
    EXPECT_EQ(probe.get("/coroutine").content, "a coroutine");
}

// GCC 12 destroys the captures of some temporaries twice: a count would be wrong, and AddressSanitizer
// would report it.
TEST_F(Misuse, OfCapturesIsNone) {
    Workers workers{2};
    const auto shared = std::make_shared<std::string>(100, 'x');
    router.get("/", [&workers, shared](Call) -> Task<Response> {
        const auto named = [shared, own = std::string(100, 'y')] { return *shared + own; };
        std::string all = co_await offload(workers, named);
        all += co_await offload(workers, std::ref(named));
        all += co_await offload(
            workers, [](const auto& pointer, const std::string& own) { return *pointer + own; },
            shared, std::string(100, 'y'));
        auto moved = [only = std::make_unique<std::string>(*shared)] { return *only; };
        all += co_await offload(workers, std::ref(moved));
        all += co_await offload(workers, &std::string::size, *shared) == 100 ? "100" : "other";
        co_return text(all);
    });
    const auto before = shared.use_count();
    const std::string both = std::string(100, 'x') + std::string(100, 'y');
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(probe.get("/").content, both + both + both + std::string(100, 'x') + "100");
    EXPECT_EQ(shared.use_count(), before);
}

/// Takes long enough that a destructor which does not wait has returned before.
void compute() {
    std::atomic<unsigned> sum = 0;
    while (sum < 20'000'000) sum += 1;
}

TEST(Jobs, ThatRequestsLeaveBehindEndBeforeTheirRouter) {
    std::latch has_begun{1};
    std::latch goes_on{1};
    std::atomic<bool> has_ended = false;
    Workers workers{1};
    auto router = std::make_unique<Router>();
    router->get("/", [&](Call) -> Task<Response> {
        co_await offload(workers, [&] {
            has_begun.count_down();
            goes_on.wait();
            compute();
            has_ended = true;
        });
        co_return Response{};
    });
    {
        Probe probe{*router};
        auto exchange = probe.open("GET", "/");
        has_begun.wait();
        exchange.leave();
    }
    goes_on.count_down();
    router.reset();
    EXPECT_TRUE(has_ended);
}

#ifndef NDEBUG
TEST(MisuseDeathTest, OfAnAwaitableWithoutCoAwait) {
    Workers workers;
    EXPECT_DEATH(static_cast<void>(offload(workers, [] {})), "does nothing without co_await");
}
#endif

}  // namespace
}  // namespace weir::web
