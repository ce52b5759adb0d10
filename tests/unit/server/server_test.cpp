#include "weir/server/server.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "engines/contract/host.h"
#include "net/listener.h"
#include "server/entrance/endpoint.h"
#include "support/client.h"
#include "support/process.h"
#include "unit/http/throwing.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"

namespace weir::server {
namespace {

using tests::Client;

constexpr std::string_view get = "GET /hello HTTP/1.1\r\nHost: a\r\nUser-Agent: probe\r\n\r\n";

http::Reply greet(const http::Request& request) {
    if (request.path() == "/throw") throw std::runtime_error{"on purpose"};
    http::Response response;
    response.content("hello");
    return response;
}

Options quick_options() { return {.addresses = {"127.0.0.1:0"}, .engine = "epoll-edge"}; }

net::Address address_of(const Server& server, std::size_t index = 0) {
    return parse_endpoint(server.addresses()[index], 0).value();
}

bool is_refused(const net::Address& address) {
    const net::UniqueFd socket{::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    return ::connect(socket.get(), address.data(), address.size()) != 0 && errno == ECONNREFUSED;
}

/// A server that runs on its own thread until the test ends.
class RunningServer {
   public:
    explicit RunningServer(Options options = quick_options(),
                           FunctionHandler::Function function = greet)
        : handler_{std::move(function)}, server_{handler_, std::move(options), log} {
        const auto listening = server_.listen();
        EXPECT_TRUE(listening.has_value()) << listening.error().message();
        thread_ = std::thread{[this] { EXPECT_TRUE(server_.run().has_value()); }};
    }
    ~RunningServer() {
        server_.stop_now();
        join();
    }

    void join() {
        if (thread_.joinable()) thread_.join();
    }
    Server& operator*() { return server_; }
    Server* operator->() { return &server_; }

    RecordingLog log;

   private:
    FunctionHandler handler_;
    Server server_;
    std::thread thread_;
};

TEST(Server, ServesAHandlerOnAPortThatItNames) {
    RunningServer server;
    EXPECT_EQ(server->engine(), "epoll-edge");
    EXPECT_NE(address_of(*server).port(), 0);
    EXPECT_EQ(Client{address_of(*server)}.ask(get).content, "hello");
}

TEST(Server, ServesOnSeveralAddresses) {
    const TemporaryDirectory directory;
    Options options = quick_options();
    options.addresses = {"127.0.0.1", "unix:" + directory / "socket", "127.0.0.1:0"};
    options.port = 0;
    RunningServer server{options};
    ASSERT_EQ(server->addresses().size(), 3u);
    EXPECT_EQ(server->addresses()[1], "unix:" + directory / "socket");
    for (std::size_t index = 0; index < 3; ++index)
        EXPECT_EQ(Client{address_of(*server, index)}.ask(get).content, "hello") << index;
}

TEST(Server, ServesOnTheSamePortOfEveryAddress) {
    Options options = quick_options();
    options.addresses = {"*:0"};
    RunningServer server{options};
    const auto addresses = server->addresses();
    const auto first = address_of(*server);
    EXPECT_EQ(first.host(), "0.0.0.0");
    EXPECT_NE(first.port(), 0);
    EXPECT_LE(addresses.size(), 2u);  // one if the machine has no IPv6
    if (addresses.size() == 2) {
        EXPECT_EQ(addresses[1], "[::]:" + std::to_string(first.port()));
    }
    for (std::size_t index = 0; index < addresses.size(); ++index)
        EXPECT_EQ(Client{address_of(*server, index)}.ask(get).content, "hello") << index;
}

TEST(Server, AnswersForAHandlerThatThrowsAndGoesOn) {
    RunningServer server;
    Client client{address_of(*server)};
    EXPECT_EQ(client.ask("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n").status, 500);
    EXPECT_EQ(client.ask(get).content, "hello");
    ASSERT_EQ(server.log.messages().size(), 1u);
    EXPECT_EQ(server.log.messages()[0],
              "the handler threw an exception for GET /throw: on purpose");
}

TEST(Server, LogsWhatThrowsLater) {
    RunningServer server{quick_options(), [](const http::Request&) -> http::Reply {
                             return http::Later{std::make_unique<http::ThrowingContinuation>()};
                         }};
    EXPECT_EQ(Client{address_of(*server)}.ask(get).status, 500);
    ASSERT_EQ(server.log.messages().size(), 1u);
    EXPECT_EQ(server.log.messages()[0], "the handler threw an exception for GET /hello: lost");
}

TEST(Server, HasAsManyWorkersAsItIsToldOrThereAreCores) {
    FunctionHandler handler{greet};
    Options options = quick_options();
    options.engine = "per-core";
    Server by_itself{handler, options};
    EXPECT_EQ(by_itself.workers(), 0u);
    ASSERT_TRUE(by_itself.listen().has_value());
    EXPECT_GE(by_itself.workers(), 1u);
    options.workers = 3;
    Server told{handler, options};
    ASSERT_TRUE(told.listen().has_value());
    EXPECT_EQ(told.workers(), 3u);
    Server without{handler, quick_options()};
    ASSERT_TRUE(without.listen().has_value());
    EXPECT_EQ(without.workers(), 0u);
}

TEST(Server, SaysWhichAddressItCannotListenOn) {
    RunningServer other;
    FunctionHandler handler{greet};
    Options options = quick_options();
    options.addresses = {"127.0.0.1:0", std::string{other->addresses()[0]}};
    Server server{handler, options};
    const auto listening = server.listen();
    ASSERT_FALSE(listening.has_value());
    EXPECT_EQ(listening.error().code, std::errc::address_in_use);
    EXPECT_EQ(listening.error().address, other->addresses()[0]);
    EXPECT_EQ(listening.error().message(),
              "cannot listen on " + other->addresses()[0] + ": Address already in use");
}

TEST(Server, WaitsForAPortThatTheKernelFreesLate) {
    const auto loopback = net::Address::parse("127.0.0.1", 0).value();
    auto dying = net::Listener::open(loopback).value();
    FunctionHandler handler{greet};
    Options options = quick_options();
    options.engine = "io-uring";
    options.addresses = {dying.address().text()};
    Server server{handler, options};
    const std::jthread kernel{[&dying] {
        EXPECT_TRUE(tests::other_threads_sleep());
        dying.close();
    }};
    EXPECT_TRUE(server.listen().has_value());
}

TEST(Server, BindsAllAddressesOrNone) {
    RunningServer other;
    const TemporaryDirectory directory;
    FunctionHandler handler{greet};
    Options options = quick_options();
    options.addresses = {"unix:" + directory / "socket", std::string{other->addresses()[0]}};
    Server server{handler, options};
    EXPECT_FALSE(server.listen().has_value());
    EXPECT_TRUE(server.addresses().empty());
    EXPECT_FALSE(std::filesystem::exists(directory / "socket"));
}

TEST(Server, RefusesWhatItDoesNotKnow) {
    FunctionHandler handler{greet};
    Options unknown_engine = quick_options();
    unknown_engine.engine = "perpetual";
    EXPECT_TRUE(Server(handler, unknown_engine).run().error().what.contains("'perpetual'"));
    Options no_address = quick_options();
    no_address.addresses = {"example.org"};
    EXPECT_TRUE(Server(handler, no_address).run().error().what.contains("'example.org'"));
    Options twice = quick_options();
    twice.addresses = {"127.0.0.1:9", "127.0.0.1:9"};
    EXPECT_EQ(Server(handler, twice).run().error().message(),
              "cannot listen: 127.0.0.1:9 is given twice");
    Options no_log = quick_options();
    no_log.access_log.path = "/nowhere/at/all";
    EXPECT_TRUE(Server(handler, no_log).run().error().what.contains("/nowhere/at/all"));
    Options no_format = quick_options();
    no_format.access_log = {
        .path = "/dev/null", .format = AccessLogOptions::Format::own, .own_format = "{statsu}"};
    EXPECT_EQ(Server(handler, no_format).run().error().message(),
              "the format of the access log: there is no field {statsu}");
}

TEST(Server, StopsWhenToldTo) {
    RunningServer server;
    const auto address = address_of(*server);
    Client client{address};
    EXPECT_EQ(client.ask(get).status, 200);
    server->stop();
    server.join();
    EXPECT_EQ(client.ending(), tests::Ending::closed);
    EXPECT_TRUE(is_refused(address));
}

TEST(Server, StopsWhereThatWasSaidBeforeItRan) {
    FunctionHandler handler{greet};
    Server server{handler, quick_options()};
    server.stop();
    EXPECT_TRUE(server.run().has_value());
}

TEST(Server, CutsWhatIsUnderWayWhenToldTo) {
    std::optional<http::Deferred> deferred;
    Options options = quick_options();
    options.stop_timeout = std::chrono::hours{1};
    RunningServer server{options, [&](const http::Request& request) -> http::Reply {
                             deferred.emplace(request.defer());
                             return http::Later{};
                         }};
    Client client{address_of(*server)};
    client.send(get);
    server->stop();
    server->stop_now();
    server.join();
    std::string rest;
    client.ending(&rest);
    EXPECT_EQ(rest, "");
}

TEST(Server, KnowsWhatItFinishes) {
    std::optional<http::Deferred> deferred;
    std::binary_semaphore handled{0};
    RunningServer server{quick_options(), [&](const http::Request& request) -> http::Reply {
                             deferred.emplace(request.defer());
                             handled.release();
                             return http::Later{};
                         }};
    std::optional<Client> idle{address_of(*server)};
    std::optional<Client> client{address_of(*server)};
    client->send(get);
    handled.acquire();
    EXPECT_FALSE(server->finishing().all_known);
    server->stop();
    while (!server->finishing().all_known) std::this_thread::yield();
    EXPECT_EQ(server->finishing().requests, 1u);
    idle.reset();
    deferred->respond(http::Response{});
    EXPECT_EQ(client->ending(), tests::Ending::closed);
    client.reset();
    server.join();
    EXPECT_EQ(server->finishing().requests, 0u);
}

TEST(Server, LogsWhatItAnswered) {
    const TemporaryDirectory directory;
    {
        Options options = quick_options();
        options.access_log.path = directory / "log";
        RunningServer server{options};
        Client client{address_of(*server)};
        EXPECT_EQ(client.ask(get).status, 200);
        EXPECT_EQ(Client{address_of(*server)}.ask("GET / HTTP/1.1\r\n\r\n").status, 400);
        server->stop();
    }
    std::ifstream log{directory / "log"};
    std::string line;
    ASSERT_TRUE(std::getline(log, line));
    EXPECT_TRUE(line.starts_with("127.0.0.1 - - [")) << line;
    EXPECT_TRUE(line.ends_with("\"GET /hello HTTP/1.1\" 200 5 \"-\" \"probe\"")) << line;
    ASSERT_TRUE(std::getline(log, line));
    EXPECT_TRUE(line.contains(" 400 ")) << line;
    EXPECT_FALSE(std::getline(log, line));
}

TEST(Server, OpensItsLogAgain) {
    const TemporaryDirectory directory;
    {
        Options options = quick_options();
        options.access_log.path = directory / "log";
        RunningServer server{options};
        EXPECT_EQ(Client{address_of(*server)}.ask(get).status, 200);
        std::filesystem::rename(directory / "log", directory / "log.1");
        server->reopen_logs();
        server->stop();
    }
    EXPECT_TRUE(read_text(directory / "log.1").contains("/hello"));
    EXPECT_TRUE(std::filesystem::exists(directory / "log"));
}

TEST(ServerOptions, HaveTheDefaultsOfTheEnginesOptions) {
    const Options server;
    const engines::Options engine;
    EXPECT_EQ(server.workers, engine.workers);
    EXPECT_EQ(server.pin, engine.pin);
    EXPECT_EQ(server.queue_max, engine.queue_max);
    EXPECT_EQ(server.queue_delay_max, engine.queue_delay_max);
    EXPECT_EQ(server.busy_poll, engine.busy_poll);
    EXPECT_EQ(server.connections_max, engine.connections_max);
    EXPECT_EQ(server.connections_per_address_max, engine.connections_per_address_max);
    EXPECT_EQ(server.stop_timeout, engine.stop_timeout);
    EXPECT_EQ(server.worker_timeout, engine.worker_timeout);
}

}  // namespace
}  // namespace weir::server
