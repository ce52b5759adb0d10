// Each allocation that fails while a coroutine runs without a server: run() returns the value or
// throws, and all objects of the coroutine are destroyed.

#include <atomic>
#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <thread>

#include "contract/web_fixture.h"
#include "faults/failing_new.h"
#include "support/gate.h"
#include "support/plain_upstream.h"
#include "support/process.h"
#include "weir/client/client.h"
#include "weir/server/run.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

struct RunMemory : testing::Test {
    RunMemory() { FailingNew::spare_this_thread(); }
    ~RunMemory() override { FailingNew::clear(); }

    web::Task<std::string> fetch() {
        const Counted here{alive};
        auto response = co_await client.get(upstream.url());
        co_return co_await response.all();
    }
    /// Two requests at the same time, and one on a kept connection. Meanwhile, another thread uses
    /// objects of the coroutine.
    web::Task<std::string> ask() {
        const Counted here{alive};
        auto work = [this] {
            const Counted there{alive};
            for (int i = 0; i < 100; ++i) std::this_thread::yield();
        };
        auto fetches = [this]() -> web::Task<std::string> {
            auto [one, two] = co_await web::when_all(fetch(), fetch());
            co_return one + two + co_await fetch();
        };
        auto offloaded = web::offload(workers, std::ref(work));
        auto [worked, content] = co_await web::when_all(std::move(offloaded), fetches());
        co_return content;
    }
    /// True if it returns the content.
    template <typename Of>
    static bool returns_content(Of task) try {
        EXPECT_EQ(FailingNew::strike([&] { return server::run(task()); }), "hellohellohello");
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    } catch (const web::ClientError&) {
        return false;
    } catch (const std::system_error&) {
        return false;  // no thread
    }

    std::atomic<int> alive{0};
    PlainUpstream upstream{FailingNew::spare_this_thread};
    web::Client client;
    web::Workers workers{1};
};

TEST_F(RunMemory, AllocationThatFailsEndsTheTaskAtMost) {
    ASSERT_TRUE(returns_content([this] { return ask(); }));
    int failures = 0;
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        const bool has_content = returns_content([this] { return ask(); });
        const bool is_reached = FailingNew::failed() != 0;
        FailingNew::clear();
        EXPECT_EQ(alive, 0);
        EXPECT_TRUE(is_reached || has_content);
        failures += has_content ? 0 : 1;
        EXPECT_TRUE(returns_content([this] { return ask(); }));
        if (!is_reached || HasFailure()) break;
    }
    EXPECT_GT(failures, 10);
}

/// The loop has no memory to wait while another thread uses objects of the coroutine: run() ends
/// when that thread has finished.
TEST_F(RunMemory, WorkOfAnotherThreadIsOverWhenRunThrows) {
    const Gate works;
    const Gate ends;
    auto work = [&] {
        const Counted there{alive};
        works.open();
        ends.await();
    };
    auto strikes = [&]() -> web::Task<> {
        const Counted here{alive};
        works.await();
        FailingNew::fail(1);
        co_await web::Flag{}.wait();
    };
    auto task = [&]() -> web::Task<> {
        const Counted here{alive};
        auto offloaded = web::offload(workers, std::ref(work));
        co_await web::when_all(std::move(offloaded), strikes());
    };
    const std::jthread other{[&] {
        FailingNew::spare_this_thread();
        while (FailingNew::failed() == 0) std::this_thread::yield();
        ends.open();
    }};
    EXPECT_THROW(FailingNew::strike([&] { server::run(task()); }), std::bad_alloc);
    FailingNew::clear();
    EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace weir::tests
