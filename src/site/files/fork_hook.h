#pragma once

#include <functional>

namespace weir::site {

/// Calls its owner around every fork(2) of the process, as long as the hook lives; a handler of
/// pthread_atfork(3) cannot be removed. `before` takes the locks that the child must not inherit in
/// a locked state. `in_parent` and `in_child` release them.
class ForkHook {
   public:
    struct Calls {
        std::function<void()> before;
        std::function<void()> in_parent;
        std::function<void()> in_child;
    };
    explicit ForkHook(Calls calls);
    ~ForkHook();
    ForkHook(const ForkHook&) = delete;
    ForkHook& operator=(const ForkHook&) = delete;

   private:
    Calls calls_;
};

}  // namespace weir::site
