#include "server/timer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "support/time_limit.h"

namespace weir::server {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using tests::time_limit;

/// An event that a task triggers.
class Event {
   public:
    void happen() { promise_.set_value(); }
    bool comes() { return promise_.get_future().wait_for(time_limit) == std::future_status::ready; }

   private:
    std::promise<void> promise_;
};

TEST(Timer, RunsATaskWhenItIsDueAndNotBefore) {
    Timer timer;
    timer.start();
    Event event;
    Timer::Clock::time_point ran;
    const auto begin = Timer::Clock::now();
    timer.run_after(milliseconds{20}, [&] {
        ran = Timer::Clock::now();
        event.happen();
    });
    ASSERT_TRUE(event.comes());
    EXPECT_GE(ran - begin, milliseconds{20});
}

TEST(Timer, IsNotHeldUpByWhatIsDueLater) {
    Timer timer;
    timer.start();
    bool later_ran = false;
    timer.run_after(hours{1}, [&] { later_ran = true; });
    // The timer's thread may or may not have begun to wait for the later task: try many times.
    for (int count = 0; count < 100; ++count) {
        Event event;
        timer.run_after({}, [&] { event.happen(); });
        ASSERT_TRUE(event.comes()) << count;
    }
    EXPECT_FALSE(later_ran);
}

TEST(Timer, LetsATaskAskForAnother) {
    Timer timer;
    timer.start();
    Event event;
    timer.run_after({}, [&] { timer.run_after({}, [&] { event.happen(); }); });
    EXPECT_TRUE(event.comes());
}

TEST(Timer, HasOneThreadForTheTasksOfAll) {
    constexpr int threads = 4;
    constexpr int tasks_each = 1'000;
    std::set<std::thread::id> ran_on;  // only the timer's thread uses it
    int left = threads * tasks_each;
    Event event;
    Timer timer;
    const auto run_some = [&] {
        timer.start();
        for (int count = 0; count < tasks_each; ++count)
            timer.run_after(milliseconds{count % 5}, [&] {
                ran_on.insert(std::this_thread::get_id());
                if (--left == 0) event.happen();
            });
    };
    {
        std::vector<std::jthread> callers;
        for (int count = 0; count < threads; ++count) callers.emplace_back(run_some);
    }
    ASSERT_TRUE(event.comes());
    EXPECT_EQ(ran_on.size(), 1u);
    EXPECT_FALSE(ran_on.contains(std::this_thread::get_id()));
}

TEST(Timer, ThatEndsDropsWhatIsNotDue) {
    bool ran = false;
    const auto token = std::make_shared<int>();
    {
        Timer timer;
        timer.start();
        timer.run_after(hours{1}, [&ran, kept = token] { ran = true; });
        EXPECT_EQ(token.use_count(), 2);
    }
    EXPECT_EQ(token.use_count(), 1);
    EXPECT_FALSE(ran);
}

TEST(Timer, RunsInAChildOfTheProcessThatMadeIt) {
    Timer timer;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        timer.start();
        Event event;
        timer.run_after({}, [&] { event.happen(); });
        ::_exit(event.comes() ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Timer, NeverUsedEnds) { const Timer timer; }

}  // namespace
}  // namespace weir::server
