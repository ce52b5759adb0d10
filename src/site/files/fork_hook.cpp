#include "site/files/fork_hook.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace weir::site {

namespace {

struct Registry {
    std::mutex mutex;  // held from before a fork until after it
    std::vector<const ForkHook::Calls*> calls;
};

/// Never destroyed: a process may fork while it exits.
Registry& registry() {
    static Registry& only = *new Registry;
    return only;
}

void before_fork() {
    registry().mutex.lock();
    for (const auto* calls : registry().calls) calls->before();
}

void after_fork(std::function<void()> ForkHook::Calls::* call) {
    auto& calls = registry().calls;
    for (auto one = calls.rbegin(); one != calls.rend(); ++one) ((*one)->*call)();
    registry().mutex.unlock();
}

void install_once() {
    static const int installed = ::pthread_atfork(
        before_fork, [] { after_fork(&ForkHook::Calls::in_parent); },
        [] { after_fork(&ForkHook::Calls::in_child); });
    (void)installed;  // fails only with ENOMEM, at start-up
}

}  // namespace

ForkHook::ForkHook(Calls calls) : calls_{std::move(calls)} {
    install_once();
    const std::lock_guard lock{registry().mutex};
    registry().calls.push_back(&calls_);
}

ForkHook::~ForkHook() {
    const std::lock_guard lock{registry().mutex};
    std::erase(registry().calls, &calls_);
}

}  // namespace weir::site
