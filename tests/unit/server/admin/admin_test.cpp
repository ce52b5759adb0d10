// A server with an admin, over real sockets. tests/end_to_end/admin_test.py has the real command.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <semaphore>
#include <sstream>
#include <thread>
#include <vector>

#include "net/unique_fd.h"
#include "server/endpoint.h"
#include "support/client.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"
#include "weir/server/server.h"

namespace weir::server {
namespace {

using tests::Client;
using namespace std::chrono_literals;

std::string get(const std::string& path, const std::string& more = {}) {
    return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

struct Watched : testing::Test {
    ~Watched() override {
        gate.release();
        server.stop_now();
        if (thread.joinable()) thread.join();
    }
    static Options options(const std::string& admin = "127.0.0.1:0") {
        return {.addresses = {"127.0.0.1:0"},
                .engine = "epoll-edge",
                .worker_timeout = 50ms,
                .admin = {.address = admin, .version = "1.2.3"}};
    }
    void start(Options options) {
        std::destroy_at(&server);
        std::construct_at(&server, handler, std::move(options), log);
        const auto bound = server.bind();
        ASSERT_TRUE(bound.has_value()) << bound.error().message();
        thread = std::thread{[this] { EXPECT_TRUE(server.run().has_value()); }};
    }
    Client site() const { return Client{parse_endpoint(server.addresses()[0], 0).value()}; }
    Client admin() const { return Client{parse_endpoint(server.admin_address(), 0).value()}; }
    tests::Answer ask(const std::string& path, const std::string& more = {}) const {
        return admin().ask(get(path, more));
    }
    void await(const std::string& path, int status) const {
        while (ask(path).status != status) std::this_thread::yield();
    }

    std::binary_semaphore gate{0}, at_gate{0};
    FunctionHandler handler{[this](const http::Request& request) {
        if (request.path() == "/wait") {
            at_gate.release();
            gate.acquire();
        }
        http::Response response;
        response.content("hello");
        return response;
    }};
    RecordingLog log;
    Server server{handler, {}, log};
    std::thread thread;
};

TEST_F(Watched, CountsWhatItAnswers) {
    start(options());
    Client client = site();
    for (int i = 0; i < 3; ++i) client.ask(get("/"));
    const auto answer = ask("/metrics");
    EXPECT_EQ(answer.status, 200);
    const std::string& text = answer.content;
    EXPECT_TRUE(
        text.contains("weir_http_requests_total{protocol=\"http/1.1\",status=\"2xx\"} 3\n"));
    EXPECT_TRUE(
        text.contains("weir_http_response_content_bytes_sum{protocol=\"http/1.1\","
                      "status=\"2xx\"} 15\n"));
    EXPECT_TRUE(text.contains("weir_connections_accepted_total{address=\"plain\"} 1\n"));
    EXPECT_TRUE(text.contains("weir_connections_open 1\n"));
    EXPECT_TRUE(text.contains("engine=\"epoll-edge\""));
    EXPECT_TRUE(text.contains("version=\"1.2.3\""));
    EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST_F(Watched, GivesBothFormats) {
    start(options());
    EXPECT_EQ(ask("/metrics", "Accept: */*\r\n").field("content-type"),
              "application/openmetrics-text; version=1.0.0; charset=utf-8");
    const auto older = ask("/metrics", "Accept: text/plain\r\n");
    EXPECT_EQ(older.field("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_FALSE(older.content.contains("# EOF"));
    EXPECT_EQ(ask("/metrics", "Accept: application/openmetrics-text;version=1.0.0,text/plain\r\n")
                  .field("content-type"),
              "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

TEST_F(Watched, TellsItsStateAsJson) {
    start(options());
    const auto answer = ask("/status");
    EXPECT_EQ(answer.field("content-type"), "application/json");
    EXPECT_TRUE(answer.content.starts_with(
        "{\"version\":\"1.2.3\",\"engine\":\"epoll-edge\",\"workers\":0,\"state\":\"serving\","));
    EXPECT_TRUE(answer.content.ends_with("}}\n"));
}

TEST_F(Watched, AnswersOnlyWhatItKnows) {
    start(options());
    EXPECT_EQ(ask("/").status, 200);
    EXPECT_EQ(ask("/other").status, 404);
    const auto posted =
        admin().ask("POST /status HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(posted.status, 405);
    EXPECT_EQ(posted.field("allow"), "GET, HEAD");
}

TEST_F(Watched, RefusesNamesThatAnyoneCouldMakeMeanThisMachine) {
    start(options());
    const auto of = [this](const std::string& host) {
        return admin().ask("GET /status HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status;
    };
    EXPECT_EQ(of("evil.example"), 403);
    EXPECT_EQ(of("evil.example:9000"), 403);
    EXPECT_EQ(of("localhost:9000"), 200);
    EXPECT_EQ(of("127.0.0.1:9000"), 200);
    EXPECT_EQ(of("[::1]:9000"), 200);
}

TEST_F(Watched, SaysThatALoopIsStuck) {
    start(options());
    EXPECT_EQ(ask("/livez").status, 200);
    Client client = site();
    client.send(get("/wait"));
    at_gate.acquire();
    await("/livez", 503);
    EXPECT_TRUE(ask("/metrics").content.contains("weir_handlers_running 1\n"));
    EXPECT_TRUE(ask("/status").content.contains("\"state\":\"stuck\""));
    gate.release();
    client.answer();
    await("/livez", 200);
    EXPECT_TRUE(ask("/metrics").content.contains("weir_handlers_running 0\n"));
}

TEST_F(Watched, IsNotReadyOnceItStops) {
    start(options());
    EXPECT_EQ(ask("/readyz").status, 200);
    Client client = site();
    client.send(get("/wait"));
    at_gate.acquire();
    server.stop();
    EXPECT_EQ(ask("/readyz").status, 503);
    EXPECT_TRUE(ask("/metrics").content.contains("weir_ready 0\n"));
    gate.release();
    EXPECT_EQ(client.answer().content, "hello");
    thread.join();
}

TEST_F(Watched, IsNotHeldByItsAdminsClients) {
    start(options());
    Client silent = admin();
    Client unfinished = admin();
    unfinished.send("GET /metrics HTT");
    Client unread = admin();
    for (int i = 0; i < 100; ++i) unread.send_some(get("/metrics"));
    EXPECT_EQ(ask("/readyz").status, 200);
    server.stop();
    thread.join();  // the test's time limit is its own
}

TEST_F(Watched, MakesRoomForANewClient) {
    start(options());
    std::vector<Client> silent;
    for (int i = 0; i < 40; ++i) silent.push_back(admin());
    EXPECT_EQ(ask("/readyz").status, 200);
}

TEST_F(Watched, AnswersWhileNoDescriptorIsLeft) {
    start(options());
    Client first = admin();
    EXPECT_EQ(first.ask(get("/readyz")).status, 200);  // it runs, and leaves no descriptor
    Client client{net::UniqueFd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)}};
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit low{.rlim_cur = 256, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
    std::vector<net::UniqueFd> all;
    do all.emplace_back(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    while (all.back());
    client.connect(parse_endpoint(server.admin_address(), 0).value());
    EXPECT_EQ(client.ask(get("/livez")).content, "live\n");
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(Watched, AnswersManyRequestsThatComeAtOnce) {
    start(options());
    Client client = admin();
    constexpr int requests = 40;
    std::string all;
    for (int i = 0; i < requests; ++i) all += get("/livez");
    client.send(all);
    for (int i = 0; i < requests; ++i) EXPECT_EQ(client.answer().content, "live\n");
}

TEST_F(Watched, HasAUnixSocket) {
    const TemporaryDirectory directory;
    const std::string path = directory / "admin";
    start(options("unix:" + path));
    EXPECT_EQ(server.admin_address(), "unix:" + path);
    EXPECT_EQ(admin().ask("GET /readyz HTTP/1.1\r\nHost: any.example\r\n\r\n").status, 200);
    server.stop();
    thread.join();
    std::destroy_at(&server);
    struct stat status{};
    EXPECT_NE(::stat(path.c_str(), &status), 0);
    std::construct_at(&server, handler, Options{}, log);
}

TEST_F(Watched, RefusesAddressesThatOthersReach) {
    for (const char* const address : {"0.0.0.0:0", "[::]:0", ":0", "example.org:80"}) {
        Server other{handler, options(address), log};
        EXPECT_EQ(other.bind().error().code, std::errc::invalid_argument) << address;
        EXPECT_TRUE(other.addresses().empty());
    }
    Options anywhere = options("0.0.0.0:0");
    anywhere.admin.anywhere = true;
    Server other{handler, anywhere, log};
    EXPECT_TRUE(other.bind().has_value());
}

TEST_F(Watched, IsNotThereUnlessAskedFor) {
    start(options(""));
    EXPECT_EQ(server.admin_address(), "");
    EXPECT_EQ(site().ask(get("/metrics")).content, "hello");
}

}  // namespace
}  // namespace weir::server
