// Each call that fails while a coroutine runs without a server: it costs a request, or run()
// throws. No descriptor stays open.

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "faults/faults.h"
#include "support/plain_upstream.h"
#include "weir/client/client.h"
#include "weir/server/run.h"
#include "weir/web.h"

namespace weir::tests {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;

struct RunCalls : testing::Test {
    RunCalls() {
        injector.clear();
        injector.exempt_all_threads();  // that of the other server among them
        injector.subject_this_thread();
    }
    ~RunCalls() override { injector.clear(); }

    web::Task<std::string> ask() {
        auto first = co_await client.get(upstream.url());
        std::string all = co_await first.all();
        auto second = co_await client.get(upstream.url());
        all += co_await second.all();
        co_return all;
    }
    std::string result() try { return server::run(ask()); } catch (const web::ClientError&) {
        return "no response";
    } catch (const std::system_error&) {
        return "no descriptor";
    }
    /// The results of runs in each of which another call fails.
    std::vector<std::string> results(const Fault& fault) {
        std::vector<std::string> all;
        for (int nth = 1; nth <= calls_max; ++nth) {
            injector.clear();
            injector.fail(fault.call, fault.error, nth);
            auto found = result();
            const bool is_reached = injector.failed(fault.call) != 0;
            injector.clear();
            if (!is_reached) break;
            all.push_back(std::move(found));
            EXPECT_EQ(result(), content);
        }
        return all;
    }

    static constexpr int calls_max = 8;
    static constexpr std::string_view content = "hellohello";

    Injector& injector = Injector::only();
    PlainUpstream upstream;
    web::Client client;
};

TEST_F(RunCalls, WithoutAnEventDescriptorNothingBegins) {
    EXPECT_THAT(results({Call::eventfd, EMFILE}), ElementsAre("no descriptor", "no descriptor"));
}

TEST_F(RunCalls, WaitThatFailsIsRepeated) {
    for (const int error : {EINTR, ENOMEM, EINVAL}) {
        const auto all = results({Call::poll, error});
        EXPECT_FALSE(all.empty());
        EXPECT_THAT(all, Each(content)) << error;
    }
}

TEST_F(RunCalls, FaultCostsARequestAtMost) {
    constexpr std::array faults{
        Fault{Call::socket, EMFILE},        Fault{Call::socket, ENOBUFS},
        Fault{Call::connect, ECONNREFUSED}, Fault{Call::connect, EAGAIN},
        Fault{Call::setsockopt, ENOMEM},    Fault{Call::recv, ECONNRESET},
        Fault{Call::recv, EAGAIN},          Fault{Call::recv, EINTR},
        Fault{Call::send, EPIPE},           Fault{Call::send, EAGAIN},
        Fault{Call::sendmsg, EPIPE},        Fault{Call::sendmsg, EAGAIN},
    };
    ASSERT_EQ(result(), content);
    const int before = open_descriptors();
    for (const auto& fault : faults)
        EXPECT_THAT(results(fault), Each(AnyOf(content, "no response"))) << to_text(fault);
    // The other server may close the last ones a little later.
    const auto end = std::chrono::steady_clock::now() + time_limit;
    while (open_descriptors() > before && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    EXPECT_LE(open_descriptors(), before);
}

}  // namespace
}  // namespace weir::tests
