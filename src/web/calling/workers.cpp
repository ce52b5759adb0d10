#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "weir/web/await.h"

namespace weir::web {

struct Workers::State {
    explicit State(unsigned of_them) : threads_max{std::max(of_them, 1U)} {}

    void work() {
        std::unique_lock lock{mutex};
        for (;;) {
            ++idle;
            changed.wait(lock, [this] { return ends || !jobs.empty(); });
            --idle;
            if (jobs.empty()) return;
            auto job = std::move(jobs.front());
            jobs.pop_front();
            lock.unlock();
            job->run();
            job.reset();
            lock.lock();
        }
    }

    /// If a thread cannot be started, the running threads are enough, if there are any.
    void start_thread() try {
        threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        if (threads.empty()) throw;
    }

    const std::size_t threads_max;
    std::mutex mutex;  // guards all later members
    std::condition_variable changed;
    std::deque<std::shared_ptr<detail::Job>> jobs;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool ends = false;
};

Workers::Workers(unsigned threads) : state_{std::make_unique<State>(threads)} {}

Workers::~Workers() {
    {
        const std::scoped_lock lock{state_->mutex};
        state_->ends = true;
    }
    state_->changed.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
}

void Workers::post(std::shared_ptr<detail::Job> job) {
    const std::scoped_lock lock{state_->mutex};
    // A thread that was notified of a job may not have taken it yet: it counts as idle until then.
    // If a job posts another one at its end, its own thread takes that one, too.
    if (!state_->ends && state_->idle <= state_->jobs.size() &&
        state_->threads.size() < state_->threads_max)
        state_->start_thread();
    state_->jobs.push_back(std::move(job));
    state_->changed.notify_one();
}

}  // namespace weir::web
