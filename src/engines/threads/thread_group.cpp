#include "engines/threads/thread_group.h"

#include <memory>
#include <new>
#include <utility>

namespace weir::engines {

struct ThreadGroup::Task {
    ThreadGroup& group;
    std::move_only_function<void()> work;
};

ThreadGroup::~ThreadGroup() {
    wait();
    for (const pthread_t thread : done_) ::pthread_join(thread, nullptr);
}

std::error_code ThreadGroup::start(std::move_only_function<void()>& work) try {
    auto task = std::make_unique<Task>(*this, std::move(work));
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, stack_bytes);
    const std::scoped_lock lock{mutex_};
    pthread_t thread;
    const int error = ::pthread_create(&thread, &attributes, &enter, task.get());
    ::pthread_attr_destroy(&attributes);
    if (error != 0) {
        work = std::move(task->work);
        return {error, std::generic_category()};
    }
    ++running_;
    static_cast<void>(task.release());  // owned by the thread
    return {};
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
}

std::error_code ThreadGroup::try_one() {
    std::move_only_function<void()> nothing = [] {};
    if (const auto error = start(nothing)) return error;
    wait();
    return {};
}

void ThreadGroup::wait() {
    std::unique_lock lock{mutex_};
    all_done_.wait(lock, [this] { return running_ == 0; });
}

void* ThreadGroup::enter(void* argument) {
    std::unique_ptr<Task> task{static_cast<Task*>(argument)};
    ThreadGroup& group = task->group;
    task->work();
    task.reset();
    group.leave();
    return nullptr;
}

void ThreadGroup::leave() {
    std::unique_lock lock{mutex_};
    if (!is_joining_) {
        is_joining_ = true;
        while (!done_.empty()) join_done(lock);
        is_joining_ = false;
    }
    remember_done();
    if (--running_ == 0) all_done_.notify_all();
}

/// If there is no memory for its id, no thread can join it: it is detached.
void ThreadGroup::remember_done() try {
    done_.push_back(::pthread_self());
} catch (const std::bad_alloc&) {
    ::pthread_detach(::pthread_self());
}

void ThreadGroup::join_done(std::unique_lock<std::mutex>& lock) {
    const auto done = std::exchange(done_, {});
    lock.unlock();
    for (const pthread_t thread : done) ::pthread_join(thread, nullptr);
    lock.lock();
}

}  // namespace weir::engines
