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
        const Struck struck;
        return call();
    }

   private:
    class Struck {
       public:
        Struck();
        ~Struck();
        Struck(const Struck&) = delete;
        Struck& operator=(const Struck&) = delete;
    };
};

}  // namespace weir::tests
