// Each allocation that fails while a server runs: it may cost the connection that it strikes, and
// nobody else. No engine ends, hangs, or loses its place for a connection.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contract/contract.h"
#include "faults/failing_new.h"
#include "http/answer/dropped.h"

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
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        exchange();
        const bool reached = FailingNew::failed() != 0;
        expect_all_well();
        if (!reached || HasFailure()) break;
    }
}

/// Idle connections give way to new ones, which may be the time when memory is short, too.
TEST_P(EngineMemory, OneAllocationThatFailsWhileOthersGiveWayEndsNoServer) {
    options.engine.connections_max = 2;
    options.timeouts.keep_alive =
        milliseconds{200};  // is no longer than the grace of those that rest
    start_steady();
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        std::vector<Client> idle;
        for (int i = 0; i < 2; ++i) idle.push_back(steady_server->client());
        for (auto& each : idle) each.offer(get("/hello"));
        for (auto& each : idle) each.readable_within(short_time);
        FailingNew::fail(nth);
        auto newcomer = steady_server->client();
        newcomer.offer(get("/hello", "Connection: close\r\n"));
        EXPECT_TRUE(newcomer.readable_within(milliseconds{5'000}))
            << "neither an answer nor an end";
        const bool reached = FailingNew::failed() != 0;
        idle.clear();
        expect_all_well();
        if (!reached || HasFailure()) break;
    }
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

}  // namespace
}  // namespace weir::tests
