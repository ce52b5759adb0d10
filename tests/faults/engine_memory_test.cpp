// Each allocation that fails while a server runs: it may cost the connection that it strikes, and
// nobody else. No engine ends, hangs, or loses its place for a connection.

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contract/contract.h"
#include "engines/peer/inbox.h"
#include "faults/failing_new.h"
#include "http/answer/dropped.h"
#include "support/process.h"
#include "support/time_limit.h"

namespace weir::tests {
namespace {

const std::string& large() {
    static const std::string bytes = pattern(0, 300'000);
    return bytes;
}

/// Answers without help of memory that could be missing: only weir's own can.
class SteadyHandler final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override try {
        return answer(request);
    } catch (const std::bad_alloc&) {
        return http::Response{http::Status::service_unavailable};
    }

   private:
    static http::Reply answer(const http::Request& request) {
        http::Response response;
        if (request.path() == "/later") {
            request.defer().respond(text("later"));
            return http::Later{};
        }
        if (request.path() == "/retire") ::raise(SIGTERM);
        if (request.path() == "/retire" || request.path() == "/process") {
            response.content(std::to_string(::getpid()));
            return response;
        }
        if (request.path() == "/echo" && request.content_pending()) return http::ReadContent{};
        if (request.path() == "/echo") {
            response.content(std::string{request.content()});
            return response;
        }
        return request.path() == "/large" ? text(large()) : text("hello\n");
    }
    static http::Response text(std::string_view bytes) {
        http::Response response;
        response.content_view(bytes);
        return response;
    }
};

struct EngineMemory : Contract {
    EngineMemory() {
        FailingNew::spare_this_thread();
        options.aside = [](const auto& work) { FailingNew::spare(work); };
        options.timeouts.handler = milliseconds{1'000};  // an answer from elsewhere may be lost
    }
    ~EngineMemory() override { FailingNew::clear(); }

    void start_steady() { steady_server.emplace(engine(), steady, options); }

    /// Calls `work(nth)`, which has that allocation fail, until none is left that fails.
    template <typename Work>
    void fail_each(Work work) {
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE("allocation " + std::to_string(nth));
            work(nth);
            const bool reached = FailingNew::failed() != 0;
            expect_all_well();
            if (!reached || HasFailure()) break;
        }
    }

    /// The number of the process that answers; empty where it gave no answer.
    std::string serving_process(std::string_view path = "/process") try {
        auto peer = steady_server->client();
        const auto answer = peer.ask(get(path, "Connection: close\r\n"));
        return answer.status == 200 ? answer.content : std::string{};
    } catch (const TimedOut&) {
        throw;
    } catch (const Unexpected&) {
        return {};
    }

    /// False where it does neither.
    bool hears_a_client_or_ends() const {
        const auto until = std::chrono::steady_clock::now() + time_limit;
        const auto in_time = [until] { return std::chrono::steady_clock::now() < until; };
        try {
            auto peer = steady_server->client();
            peer.offer(get("/hello", "Connection: close\r\n"));
            while (!steady_server->has_ended() && in_time())
                if (peer.readable_within(milliseconds{5})) return true;
        } catch (const Unexpected&) {  // it refuses, and is about to end
            while (!steady_server->has_ended() && in_time()) std::this_thread::yield();
        }
        return steady_server->has_ended();
    }

    /// What a peer may come across. False where it got something else than what it asked for.
    void exchange();
    /// A while after there is memory again, at the latest.
    void expect_all_well();

    SteadyHandler steady;
    std::optional<Server> steady_server;
};
WEIR_OVER_EVERY_ENGINE(EngineMemory);

bool is_good(const Answer& answer, std::string_view content) {
    return answer.status == 503 || answer.status == 500 ||
           (answer.status == 200 && answer.content == content);
}

void EngineMemory::exchange() try {
    auto peer = steady_server->client({.receive_buffer_bytes = 4096});
    EXPECT_TRUE(is_good(peer.ask(get("/hello")), "hello\n"));
    peer.send("GET /hello HTTP/1.1\r\nHost: we");
    peer.send("ir.test\r\nX-A: " + std::string(3'000, 'a') + "\r\n\r\n" + get("/hello"));
    EXPECT_TRUE(is_good(peer.answer(), "hello\n"));
    EXPECT_TRUE(is_good(peer.answer(), "hello\n"));
    EXPECT_TRUE(
        is_good(peer.ask(post("/echo", large().substr(0, 70'000))), large().substr(0, 70'000)));
    EXPECT_TRUE(is_good(peer.ask(get("/later")), "later"));
    EXPECT_TRUE(is_good(peer.ask(get("/large")), large()));
} catch (const TimedOut&) {
    ADD_FAILURE() << "neither an answer nor an end";
} catch (const Unexpected& unexpected) {
    EXPECT_NE(FailingNew::failed(), 0) << unexpected.what();  // only what was struck is cut
}

void EngineMemory::expect_all_well() {
    FailingNew::clear();
    auto peer = steady_server->client();
    EXPECT_EQ(peer.ask(get("/hello", "Connection: close\r\n")).content, "hello\n");
}

TEST_P(EngineMemory, OneAllocationThatFailsCostsOneConnectionAtMost) {
    start_steady();
    exchange();
    fail_each([&](int nth) {
        FailingNew::fail(nth);
        exchange();
    });
}

/// A loop asks its poller for the first events when others serve already. It may not end for want of
/// memory then, without a word: its clients would wait for ever.
TEST_P(EngineMemory, OneAllocationThatFailsAtTheStartEndsTheServerOrCostsNoLoop) {
    constexpr int clients = 8;  // so that each loop has some
    // A pool has hundreds of threads otherwise, and each start makes them all.
    if (!nature_of(engine()).worker_serves_one_at_a_time.empty()) options.engine.workers = clients;
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        start_steady();
        for (int i = 0; i < clients && !HasFailure(); ++i)
            EXPECT_TRUE(hears_a_client_or_ends()) << "neither an answer nor an end";
        const bool reached = FailingNew::failed() != 0;
        FailingNew::clear();
        if (!reached || HasFailure()) break;
    }
}

/// Idle connections are evicted for new ones, which may be when memory is short, too.
struct EvictionMemory : EngineMemory {
    EvictionMemory() {
        // One share of the limit for all: processes and their loops would have parts of it.
        if (nature_of(engine()).worker_serves_one_at_a_time.empty()) options.engine.workers = 1;
        options.timeouts.keep_alive = milliseconds{200};  // so those that are idle rest at once
    }
    /// Clients that have got an answer and stay.
    std::vector<Client> idle_ones(int count) {
        std::vector<Client> idle;
        for (int i = 0; i < count; ++i) {
            idle.push_back(steady_server->client());
            EXPECT_EQ(idle.back().ask(get("/hello")).content, "hello\n");
        }
        return idle;
    }
    static std::vector<Client> newcomers() {
        std::vector<Client> crowd;
        for (int i = 0; i < 2; ++i) crowd.emplace_back(unconnected_socket(AF_INET));
        return crowd;
    }
    void rush_in(std::vector<Client>& crowd) {
        for (auto& each : crowd) {
            each.connect(steady_server->address());
            each.offer(get("/hello", "Connection: close\r\n"));
        }
    }
    static void expect_answers_or_ends(std::vector<Client>& crowd) {
        for (auto& each : crowd)
            EXPECT_TRUE(each.readable_within(time_limit)) << "neither an answer nor an end";
    }
};
WEIR_OVER_EVERY_ENGINE(EvictionMemory);

TEST_P(EvictionMemory, OneAllocationThatFailsAtTheLimitEndsNoServer) {
    const int limit = one_at_a_time() ? 1 : 2;
    options.engine.connections_max = 2;
    start_steady();
    fail_each([&](int nth) {
        auto idle = idle_ones(limit);
        auto crowd = newcomers();
        FailingNew::fail(nth);
        rush_in(crowd);
        expect_answers_or_ends(crowd);
    });
}

TEST_P(EvictionMemory, OneAllocationThatFailsWithoutDescriptorsEndsNoServer) {
    options.engine.connections_max = 1'000;  // or the server raises the limit on descriptors
    // Or the idle one might be gone before none is left, and nobody could be let in ever.
    options.timeouts.keep_alive = milliseconds{3'600'000};
    start_steady();
    fail_each([&](int nth) {
        auto idle = idle_ones(1);
        auto crowd = newcomers();
        let_parent_catch_up();
        const FewDescriptors few{0};
        FailingNew::fail(nth);
        rush_in(crowd);
        expect_answers_or_ends(crowd);
    });
}

/// What keeps memory from the acceptor keeps it for a while.
TEST_P(EvictionMemory, WithoutAnyAtTheLimitItServesAgainOnceThereIsSome) {
    options.engine.connections_max = 2;
    start_steady();
    for (const int nth : {1, 2, 3, 5, 8, 13}) {
        SCOPED_TRACE("from allocation " + std::to_string(nth));
        auto idle = idle_ones(one_at_a_time() ? 1 : 2);
        auto crowd = newcomers();
        FailingNew::fail(nth, 1'000'000);
        rush_in(crowd);
        crowd.front().readable_within(short_time);
        idle.clear();
        crowd.clear();
        expect_all_well();
    }
}

/// The supervisor needs memory, too.
TEST_P(EngineMemory, OneAllocationThatFailsWhileAWorkerIsReplacedEndsNoServer) {
    if (engine().forks != engines::Process::worker)
        GTEST_SKIP() << engine().name << ": its workers, where it has any, are threads";
    options.engine.workers = 1;
    fail_each([&](int nth) {
        start_steady();  // each time: the delay of a start that fails grows
        const std::string before = serving_process();
        FailingNew::fail(nth);
        while (serving_process("/retire").empty()) continue;  // the first request may be cut
        // The one that stops may be asked once more, or the one that fails.
        std::string now = before;
        while (now == before || now.empty()) now = serving_process();
    });
}

TEST_P(EngineMemory, WithoutAnyItServesAgainOnceThereIsSome) {
    start_steady();
    exchange();
    for (const int nth : {1, 2, 3, 5, 8, 13, 21}) {
        SCOPED_TRACE("from allocation " + std::to_string(nth));
        FailingNew::fail(nth, 1'000'000);
        auto peer = steady_server->client();
        peer.offer("GET /hello HTTP/1.1\r\nHost: we");
        peer.offer("ir.test\r\n\r\n" + get("/later") + get("/large"));
        peer.readable_within(short_time);
        peer.close();
        expect_all_well();
    }
}

/// Memory that is short comes back from those who leave.
TEST_P(EngineMemory, WithoutAnyThoseWhoLeaveAreLetGo) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    if (nature_of(engine()).worker_serves_one_at_a_time.empty()) options.engine.workers = 1;
    start_steady();
    for (const int nth : {1, 2, 3, 5, 8}) {
        SCOPED_TRACE("from allocation " + std::to_string(nth));
        auto leaving = steady_server->client();
        EXPECT_EQ(leaving.ask(get("/hello")).content, "hello\n");
        FailingNew::fail(nth, 1'000'000);
        auto coming = steady_server->client();
        coming.offer(get("/hello"));
        coming.readable_within(short_time);
        leaving.half_close();
        EXPECT_TRUE(leaving.readable_within(time_limit)) << "it is kept";
        coming.close();
        expect_all_well();
    }
}

/// A thread that gives a connection back must not wait for memory: the connection may be what has it.
TEST(InboxMemory, WithoutAnyItTakesWhatItTookBefore) {
    engines::Inbox<int> inbox;
    FailingNew::spare_this_thread();
    FailingNew::fail(1, 1'000'000);
    FailingNew::strike([&] {
        for (int i = 0; i < 4; ++i) {
            EXPECT_NO_THROW(inbox.put(int{i}));
            EXPECT_EQ(inbox.collect().size(), 1u);
        }
    });
    FailingNew::clear();
}

}  // namespace
}  // namespace weir::tests
