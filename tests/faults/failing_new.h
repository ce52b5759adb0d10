#pragma once

#include <utility>

namespace weir::tests {

/// Has operator new throw, which is replaced in the whole program: never in the threads of a test
/// (see spare_this_thread()), and in all others, those of forked processes among them.
class FailingNew {
   public:
    /// The allocations numbered `nth` (1 is the next one) up to `nth + times - 1` fail.
    static void fail(int nth, int times = 1);
    /// There is memory again.
    static void clear();
    /// How many have failed since fail().
    static int failed();

    static void spare_this_thread();
    /// `call` is not spared, whichever thread makes it.
    template <typename Call>
    static auto strike(Call call) {
        const Thread struck{false};
        return call();
    }
    /// `call` is spared, whichever thread makes it.
    template <typename Call>
    static auto spare(Call call) {
        const Thread spared{true};
        return call();
    }

   private:
    /// The thread as it is until the end of the scope.
    class Thread {
       public:
        explicit Thread(bool is_spared);
        ~Thread();
        Thread(const Thread&) = delete;
        Thread& operator=(const Thread&) = delete;

       private:
        bool before_;
    };
};

}  // namespace weir::tests
