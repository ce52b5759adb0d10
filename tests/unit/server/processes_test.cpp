// Tests of engines that run handlers in forked processes.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/troubles.h"
#include "server/entrance/endpoint.h"
#include "support/client.h"
#include "support/incoming.h"
#include "support/journal.h"
#include "support/time_limit.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"
#include "weir/server/server.h"

namespace weir::server {
namespace {

using tests::Client;
using namespace std::chrono_literals;

bool started_here = false;

/// Answers with the process id, or with "not prepared" if worker_started() was not called here.
http::Reply tell_process(const http::Request& request, tests::Journal& journal) {
    if (request.path() == "/die") ::raise(SIGKILL);
    if (request.path() == "/spin") journal.note("spins");
    while (request.path() == "/spin") ::getppid();
    http::Response response;
    response.content(started_here ? std::to_string(::getpid()) : "not prepared");
    return response;
}

struct Processes : testing::Test {
    void SetUp() override {
        if (!tests::forks_safely) GTEST_SKIP() << "sanitizers do not survive a fork";
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
    /// On a busy machine, any worker may exceed it, and cut its clients.
    void set_short_timeout(Options& options) {
        options.worker_timeout = 300ms;
        may_be_killed = true;
    }
    net::Address address() const { return parse_endpoint(server.addresses()[0], 0).value(); }
    Client client() const { return Client{address()}; }
    pid_t process() const {
        for (;;) try {
                const auto answer = client().ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                return std::stoi(answer.content);
            } catch (const tests::Unexpected&) {
                if (!may_be_killed) throw;
            }
    }
    /// Waits for another worker process. No connection is refused or cut meanwhile.
    pid_t await_other_than(pid_t before) const {
        for (;;)
            if (const pid_t now = process(); now != before) return now;
    }

    tests::Journal journal;
    FunctionHandler handler{
        [this](const http::Request& request) { return tell_process(request, journal); }};
    RecordingLog log;
    Server server{handler, {}, log};
    std::thread thread;
    bool may_be_killed = false;
};

TEST_F(Processes, WorkerThatIsKilledIsReplacedAndReported) {
    start(of_one_worker());
    const pid_t before = process();
    EXPECT_NE(before, ::getpid());
    ::kill(before, SIGKILL);
    EXPECT_NE(await_other_than(before), before);
    log.wait_for("worker 1 (pid " + std::to_string(before) + ") died of SIGKILL ");
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

TEST_F(Processes, WorkerThatIsStoppedIsKilledAndReplaced) {
    auto options = of_one_worker();
    set_short_timeout(options);
    start(options);
    const pid_t before = process();
    ::kill(before, SIGSTOP);
    EXPECT_NE(await_other_than(before), before);
    const auto name = "worker 1 (pid " + std::to_string(before) + ") ";
    log.wait_for(name +
                 "has not answered for 300 ms: it is stopped, or a handler blocks it; killing it");
    log.wait_for(name + "died of SIGKILL ");
}

TEST_F(Processes, WorkerWhoseHandlerDoesNotReturnIsKilledAndReplaced) {
    auto options = of_one_worker();
    set_short_timeout(options);
    start(options);
    const pid_t before = process();
    auto spinning = client();
    spinning.send("GET /spin HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_NE(await_other_than(before), before);
    log.wait_for("worker 1 (pid " + std::to_string(before) + ") has not answered for 300 ms");
}

/// The switches of a process to others that it asked for: it slept so many times.
long sleeps_of(pid_t pid) {
    std::ifstream file{"/proc/" + std::to_string(pid) + "/status"};
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("voluntary_ctxt_switches:")) return std::stol(line.substr(24));
    return 0;
}

/// False if it has ended before.
bool sleeps_again(pid_t pid, long times) {
    for (const long before = sleeps_of(pid); sleeps_of(pid) < before + times;) {
        if (::kill(pid, 0) != 0) return false;
        std::this_thread::yield();
    }
    return true;
}

TEST_F(Processes, WorkerThatIsIdleIsNotKilled) {
    constexpr long questions_of_two_timeouts = 2 * 3 + 1;
    auto options = of_one_worker();
    set_short_timeout(options);
    start(options);
    // A busy machine may keep a worker from answering: it is killed then, and the next one is looked at.
    while (!sleeps_again(process(), questions_of_two_timeouts)) continue;
}

TEST_F(Processes, WorkerThatCannotOpenItsLogIsReportedAndTheOldOneStays) {
    const TemporaryDirectory directory;
    auto options = of_one_worker();
    std::filesystem::create_directory(directory / "logs");
    options.access_log.path = directory / "logs/log";
    start(options);
    const pid_t before = process();
    std::filesystem::rename(directory / "logs", directory / "moved");
    server.reload();
    log.wait_for_messages(1);
    EXPECT_TRUE(log.messages()[0].contains("cannot start: No such file or directory; next try in "))
        << log.messages()[0];
    EXPECT_EQ(process(), before);
    std::filesystem::rename(directory / "moved", directory / "logs");
    EXPECT_NE(await_other_than(before), before);
}

TEST_F(Processes, WorkerThatCannotOpenItsLogAtTheStartIsTheServersFailure) {
    const TemporaryDirectory directory;
    auto options = of_one_worker();
    std::filesystem::create_directory(directory / "logs");
    options.access_log.path = directory / "logs/log";
    std::destroy_at(&server);
    std::construct_at(&server, handler, options, log);
    ASSERT_TRUE(server.listen().has_value());
    std::filesystem::rename(directory / "logs", directory / "moved");
    const auto served = server.run();
    ASSERT_FALSE(served.has_value());
    EXPECT_EQ(served.error().code, std::errc::no_such_file_or_directory);
}

TEST_F(Processes, WorkerThatKeepsDyingIsWaitedForAndReported) {
    start(of_one_worker());
    std::vector<std::string> said;
    // On a busy machine, a worker may live for more than a second before it is killed here.
    while (said.empty() || !said.back().contains("the 3rd time in a row")) {
        ::kill(process(), SIGKILL);
        log.wait_for_messages(said.size() + 1);
        said = log.messages();
    }
    EXPECT_TRUE(said.back().ends_with(", the 3rd time in a row; next try in 400 ms"));
    const auto& second = said.at(said.size() - 2);
    EXPECT_TRUE(second.contains(", the 2nd time in a row; next try in 200 ms")) << second;
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

TEST_F(Processes, OneForEachConnectionThatCannotLogIsCountedAndToldOnce) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const auto before = troubles().count(Trouble::log_lines);
    start({.addresses = {"127.0.0.1:0"},
           .engine = "fork-per-connection",
           .access_log = {.path = "/dev/full"}});
    constexpr int count = 10;
    for (int i = 0; i < count; ++i)
        EXPECT_EQ(client().ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").status,
                  200);
    server.stop();
    thread.join();
    EXPECT_EQ(troubles().count(Trouble::log_lines), before + count);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_TRUE(log.messages()[0].starts_with("a line of a log was dropped"));
}

TEST_F(Processes, OneForEachConnectionThatDoesNotEndIsKilledAfterTheStopTimeout) {
    started_here = true;
    start({.addresses = {"127.0.0.1:0"}, .engine = "fork-per-connection", .stop_timeout = 5s});
    auto idle = client();
    const auto process_of_idle = std::stoi(idle.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").content);
    auto spinning = client();
    spinning.send("GET /spin HTTP/1.1\r\nHost: a\r\n\r\n");
    journal.await("spins");
    server.stop();
    EXPECT_EQ(idle.ending(), tests::Ending::closed);
    thread.join();  // once all of them have ended
    EXPECT_THROW(spinning.answer(), tests::Unexpected);
    EXPECT_EQ(::kill(process_of_idle, 0), -1);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_TRUE(log.messages()[0].ends_with("died of SIGKILL")) << log.messages()[0];
    started_here = false;
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
