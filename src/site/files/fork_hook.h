#pragma once

#include <functional>

namespace weir::site {

/// Calls its owner around every fork(2) of the process while it lives (pthread_atfork(3) can't be
/// undone, this can). `before` takes the locks that the child must not inherit halfway; each of the
/// others gives them back on its side.
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
