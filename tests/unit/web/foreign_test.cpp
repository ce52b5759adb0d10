#include <gtest/gtest.h>

#include <coroutine>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Resumes on a thread of its own.
struct OnAnotherThread {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) {
        std::thread{[frame] { frame.resume(); }}.detach();
    }
    int await_resume() const noexcept { return 7; }
};

/// Keeps the handle for the test, which resumes it.
struct Kept {
    std::coroutine_handle<>& handle;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) const noexcept { handle = frame; }
    void await_resume() const noexcept {}
};

/// Decides by what await_suspend() returns.
struct Deciding {
    bool suspends;

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> frame) const {
        if (suspends) frame.resume();
        return suspends;
    }
    std::string await_resume() const { return suspends ? "suspended " : "went on "; }
};

/// Returns the handle that is resumed next.
struct Transferring {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> frame) const noexcept {
        return frame;
    }
    void await_resume() const { throw std::runtime_error{"of await_resume"}; }
};

struct Throwing {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error{"of suspend"}; }
    void await_resume() const noexcept {}
};

struct ByMember {
    OnAnotherThread operator co_await() const noexcept { return {}; }
};
struct ByFunction {};
OnAnotherThread operator co_await(ByFunction) noexcept { return {}; }

/// One that only a move makes usable elsewhere, with memory of its own.
class Owning {
   public:
    explicit Owning(std::string text) : text_{std::make_unique<std::string>(std::move(text))} {}
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    std::string await_resume() { return std::move(*text_); }

   private:
    std::unique_ptr<std::string> text_;
};

struct ForeignAwaiters : ::testing::Test {
    Router router;
    Probe probe{router};
};

TEST_F(ForeignAwaiters, ResumeOnTheThreadOfTheConnection) {
    router.get("/", [](Call) -> Task<Response> {
        const auto here = std::this_thread::get_id();
        const int sum = co_await OnAnotherThread{} + co_await ByMember{} + co_await ByFunction{};
        co_return text(here == std::this_thread::get_id() ? std::to_string(sum) : "elsewhere");
    });
    for (int i = 0; i < 50; ++i) ASSERT_EQ(probe.get("/").content, "21");
}

TEST_F(ForeignAwaiters, DecideWhetherTheySuspend) {
    router.get("/", [](Call) -> Task<Response> {
        std::string all = co_await Deciding{.suspends = false};
        all += co_await Deciding{.suspends = true};
        co_await std::suspend_never{};
        co_return text(all + co_await Owning{"with memory"});
    });
    EXPECT_EQ(probe.get("/").content, "went on suspended with memory");
}

TEST_F(ForeignAwaiters, MayHaveAName) {
    router.get("/", [](Call) -> Task<Response> {
        OnAnotherThread named;
        const int first = co_await named;
        co_return text(std::to_string(first + co_await named));
    });
    EXPECT_EQ(probe.get("/").content, "14");
}

TEST_F(ForeignAwaiters, ThrowIntoTheCoroutine) {
    router.get("/", [](Call) -> Task<Response> {
        std::string caught;
        try {
            co_await Throwing{};
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        try {
            co_await Transferring{};
        } catch (const std::runtime_error& error) {
            caught.append(", ").append(error.what());
        }
        co_return text(caught);
    });
    EXPECT_EQ(probe.get("/").content, "of suspend, of await_resume");
}

TEST_F(ForeignAwaiters, KeepTheFrameUntilTheyResume) {
    std::coroutine_handle<> handle;
    const auto alive = std::make_shared<int>();
    router.get("/", [&handle, alive](Call) -> Task<Response> {
        const auto local = alive;
        co_await Kept{handle};
        ADD_FAILURE() << "the request has ended";
        co_return Response{};
    });
    const auto before = alive.use_count();
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(alive.use_count(), before + 1);
    exchange.leave();
    EXPECT_EQ(alive.use_count(), before + 1);
    std::thread{[handle] { handle.resume(); }}.join();
    EXPECT_EQ(alive.use_count(), before);
}

TEST_F(ForeignAwaiters, ThatNeverResumeMeetTheTimeLimit) {
    std::coroutine_handle<> handle;
    router.get("/", [&handle](Call) -> Task<Response> {
        co_await Kept{handle};
        co_return Response{};
    });
    Probe limited{router, {}, {.handler = 10s}};
    auto exchange = limited.open("GET", "/");
    limited.advance(10s);
    EXPECT_EQ(exchange.answer().status, 503u);
    handle.resume();  // too late: it only destroys the frame
}

/// Another library's task: it starts when it is awaited, and resumes its awaiter at its end.
struct OthersTask {
    struct promise_type {
        std::coroutine_handle<> awaited_by{};
        int value = 0;

        OthersTask get_return_object() noexcept {
            return OthersTask{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        struct Final {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(
                std::coroutine_handle<promise_type> frame) const noexcept {
                return frame.promise().awaited_by;
            }
            void await_resume() const noexcept {}
        };
        Final final_suspend() const noexcept { return {}; }
        void return_value(int of) noexcept { value = of; }
        void unhandled_exception() const noexcept { std::terminate(); }
    };

    explicit OthersTask(std::coroutine_handle<promise_type> of) noexcept : frame{of} {}
    OthersTask(const OthersTask&) = delete;
    OthersTask& operator=(const OthersTask&) = delete;
    ~OthersTask() { frame.destroy(); }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> by) noexcept {
        frame.promise().awaited_by = by;
        return frame;
    }
    int await_resume() const noexcept { return frame.promise().value; }

    std::coroutine_handle<promise_type> frame;
};

OthersTask others(int value) {
    const int more = co_await OnAnotherThread{};
    co_return value + more;
}

TEST_F(ForeignAwaiters, MayBeTasksOfAnotherLibrary) {
    router.get("/", [](Call) -> Task<Response> {
        const auto here = std::this_thread::get_id();
        const int sum = co_await others(35);
        co_return text(here == std::this_thread::get_id() ? std::to_string(sum) : "elsewhere");
    });
    EXPECT_EQ(probe.get("/").content, "42");
}

}  // namespace
}  // namespace weir::web
