// Tests of engines that run handlers in forked processes.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "server/endpoint.h"
#include "support/client.h"
#include "support/incoming.h"
#include "support/time_limit.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"
#include "weir/server/server.h"

namespace weir::server {
namespace {

using tests::Client;

bool started_here = false;

/// Answers with the process id, or with "not prepared" if worker_started() was not called here.
http::Reply tell_process(const http::Request& request) {
    if (request.path() == "/die") ::raise(SIGKILL);
    http::Response response;
    response.content(started_here ? std::to_string(::getpid()) : "not prepared");
    return response;
}

struct Processes : testing::Test {
    void SetUp() override {
        if (!tests::forks_safely) GTEST_SKIP() << "AddressSanitizer's locks do not survive a fork";
    }
    ~Processes() override {
        server.stop_now();
        if (thread.joinable()) thread.join();
    }
    void start(Options options) {
        std::destroy_at(&server);
        std::construct_at(&server, handler, std::move(options), log);
        ASSERT_TRUE(server.listen().has_value());
        thread = std::thread{[this] { EXPECT_TRUE(server.run().has_value()); }};
    }
    static Options of_one_worker() {
        return {
            .addresses = {"127.0.0.1:0"}, .engine = "prefork", .workers = 1, .worker_started = [] {
                started_here = true;
            }};
    }
    net::Address address() const { return parse_endpoint(server.addresses()[0], 0).value(); }
    Client client() const { return Client{address()}; }
    pid_t process() const {
        const auto answer = client().ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        return std::stoi(answer.content);
    }
    /// Waits for another worker process. No connection is refused or cut meanwhile.
    pid_t await_other_than(pid_t before) const {
        for (;;)
            if (const pid_t now = process(); now != before) return now;
    }

    FunctionHandler handler{tell_process};
    RecordingLog log;
    Server server{handler, {}, log};
    std::thread thread;
};

TEST_F(Processes, WorkerThatIsKilledIsReplacedAndReported) {
    start(of_one_worker());
    const pid_t before = process();
    EXPECT_NE(before, ::getpid());
    ::kill(before, SIGKILL);
    EXPECT_NE(await_other_than(before), before);
    log.wait_for_messages(1);
    const auto said = log.messages().front();
    EXPECT_TRUE(said.starts_with("worker 1 (pid " + std::to_string(before) + ") died of SIGKILL "))
        << said;
}

TEST_F(Processes, WhoeverWaitsForAWorkerThatDiesIsServedByTheNext) {
    start(of_one_worker());
    const pid_t before = process();
    ::kill(before, SIGSTOP);
    auto waiting = client();
    waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    ::kill(before, SIGKILL);
    EXPECT_NE(waiting.answer().content, std::to_string(before));
}

TEST_F(Processes, WorkerThatKeepsDyingIsWaitedForAndReported) {
    start(of_one_worker());
    for (std::size_t deaths = 1; deaths <= 3; ++deaths) {
        ::kill(process(), SIGKILL);
        log.wait_for_messages(deaths);
    }
    EXPECT_TRUE(log.messages()[1].contains(", the 2nd time in a row; next try in 200 ms"))
        << log.messages()[1];
    EXPECT_TRUE(log.messages()[2].ends_with(", the 3rd time in a row; next try in 400 ms"));
    EXPECT_GT(process(), 0);
}

TEST_F(Processes, WorkerThatIsTerminatedFinishesAndIsReplaced) {
    start(of_one_worker());
    const pid_t before = process();
    auto idle = client();
    idle.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    ::kill(before, SIGTERM);
    EXPECT_EQ(idle.ending(), tests::Ending::closed);
    EXPECT_NE(await_other_than(before), before);
    EXPECT_TRUE(log.messages().front().contains("got SIGTERM and finishes"));
}

TEST_F(Processes, ReloadReplacesWorkers) {
    start(of_one_worker());
    for (int i = 0; i < 3; ++i) {
        const pid_t before = process();
        auto kept = client();
        kept.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        server.reload();
        await_other_than(before);
        EXPECT_EQ(kept.ending(), tests::Ending::closed);
    }
    EXPECT_TRUE(log.messages().empty());
}

TEST_F(Processes, EachOpensTheLogForItself) {
    const TemporaryDirectory directory;
    auto options = of_one_worker();
    options.access_log.path = directory / "log";
    start(options);
    const pid_t before = process();
    std::filesystem::rename(directory / "log", directory / "log.1");
    server.reopen_logs();
    await_other_than(before);
    server.stop();
    thread.join();
    EXPECT_TRUE(read_text(directory / "log.1").contains("\"GET / HTTP/1.1\" 200"));
    EXPECT_TRUE(read_text(directory / "log").contains("\"GET / HTTP/1.1\" 200"));
}

TEST_F(Processes, WorkerThatCannotStartIsTheServersFailure) {
    auto options = of_one_worker();
    options.worker_started = [] {
        throw std::system_error{std::make_error_code(std::errc::too_many_files_open)};
    };
    std::destroy_at(&server);
    std::construct_at(&server, handler, options, log);
    const auto served = server.run();
    ASSERT_FALSE(served.has_value());
    EXPECT_EQ(served.error().code, std::errc::too_many_files_open);
}

TEST_F(Processes, OneForEachConnectionCostsNobodyElseWhenItDies) {
    const TemporaryDirectory directory;
    started_here = true;  // the child inherits it through fork(2)
    start({.addresses = {"127.0.0.1:0"},
           .engine = "fork-per-connection",
           .access_log = {.path = directory / "log"}});
    auto other = client();
    const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const auto process_of_other = other.ask(get).content;
    auto dying = client();
    EXPECT_THROW(dying.ask("GET /die HTTP/1.1\r\nHost: a\r\n\r\n"), tests::Unexpected);
    log.wait_for_messages(1);
    EXPECT_TRUE(log.messages().front().ends_with("died of SIGKILL"));
    EXPECT_EQ(other.ask(get).content, process_of_other);
    server.stop();
    EXPECT_EQ(other.ending(), tests::Ending::closed);
    thread.join();
    EXPECT_TRUE(read_text(directory / "log").contains("\"GET / HTTP/1.1\" 200"));
    started_here = false;
}

}  // namespace
}  // namespace weir::server
