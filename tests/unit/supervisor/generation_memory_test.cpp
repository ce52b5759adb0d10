// A process that becomes a generation, with each of its allocations failed once.

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <new>

#include "faults/failing_new.h"
#include "net/clock.h"
#include "supervisor/generation.h"

namespace weir::supervisor {
namespace {

using tests::FailingNew;

/// A process that went on with the code of the supervisor ends here.
class OneProcess {
   public:
    OneProcess() = default;
    OneProcess(const OneProcess&) = delete;
    OneProcess& operator=(const OneProcess&) = delete;
    ~OneProcess() {
        if (::getpid() != pid_) ::_exit(went_on);
    }
    static constexpr int went_on = 99;

   private:
    pid_t pid_ = ::getpid();
};

/// The exit code of a generation whose allocation `nth` fails.
int exit_without_memory(const Program& program, int nth) {
    const OneProcess here;
    FailingNew::fail(nth);
    auto generation = FailingNew::strike(
        [&] { return Generation::start(program, {.number = 1}, net::read_instant()); });
    if (!generation) return -1;
    std::vector<pollfd> watched;
    generation->watch(watched);
    ::poll(watched.data(), 1, -1);
    FailingNew::clear();  // only now, because the state is shared with the child
    const auto exit = generation->reap();
    return exit && !exit->by_signal ? exit->number : -1;
}

struct GenerationMemory : testing::Test {
    GenerationMemory() { FailingNew::spare_this_thread(); }
    ~GenerationMemory() override { FailingNew::clear(); }
};

TEST_F(GenerationMemory, AChildThatCannotRunTheProgramEnds) {
    const Program program{"/bin/true", {"true"}};
    int nth = 1;
    while (exit_without_memory(program, nth) == Generation::cannot_run) ++nth;
    EXPECT_GT(nth, 2) << "allocations of the child";
    EXPECT_EQ(exit_without_memory(program, nth), 0) << "all of them were made";
}

TEST_F(GenerationMemory, AReasonThatCannotBeToldIsLeftOut) {
    const Program program{"/no/such/program/is/here", {"none"}};
    constexpr int more_than_it_makes = 16;
    for (int nth = 1; nth <= more_than_it_makes; ++nth)
        EXPECT_EQ(exit_without_memory(program, nth), Generation::cannot_run) << nth;
}

}  // namespace
}  // namespace weir::supervisor
