#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/entrance/endpoint.h"
#include "support/client.h"
#include "unit/server/function_handler.h"
#include "unit/server/recording_log.h"
#include "unit/server/temporary_directory.h"
#include "weir/server/server.h"

// A server that goes on at the sockets of another one.
namespace weir::server {
namespace {

using tests::Client;

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/// Runs from the call of run() until it is stopped, and answers with its name.
class Named {
   public:
    Named(std::string name, Options options)
        : handler_{[name = std::move(name)](const http::Request&) {
              http::Response response;
              response.content(name);
              return http::Reply{std::move(response)};
          }},
          server_{handler_, std::move(options), log_} {
        const auto bound = server_.bind();
        EXPECT_TRUE(bound.has_value()) << bound.error().message();
    }
    ~Named() { stop(); }

    void run() {
        thread_ = std::thread{[this] { EXPECT_TRUE(server_.run().has_value()); }};
    }
    void stop() {
        server_.stop();
        if (thread_.joinable()) thread_.join();
    }
    Server& operator*() { return server_; }

   private:
    RecordingLog log_;
    FunctionHandler handler_;
    Server server_;
    std::thread thread_;
};

/// What a process keeps for the server after this one.
class Kept {
   public:
    explicit Kept(const Server& server) {
        for (const int fd : server.sockets())
            duplicates_.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
        address_ = server.addresses().front();
    }
    Options options(std::string engine, unsigned workers) const {
        Options options{.addresses = {address_}, .engine = std::move(engine), .workers = workers};
        for (const net::UniqueFd& each : duplicates_) options.given_sockets.push_back(each.get());
        return options;
    }
    std::size_t count() const { return duplicates_.size(); }
    net::Address address() const { return parse_endpoint(address_, 0).value(); }

   private:
    std::vector<net::UniqueFd> duplicates_;
    std::string address_;
};

TEST(GivenSockets, AreServedAfterAnotherServer) {
    Named first{"first", {.addresses = {"127.0.0.1:0"}, .engine = "epoll-edge"}};
    const Kept kept{*first};
    first.run();
    EXPECT_EQ(Client{kept.address()}.ask(get).content, "first");
    Named second{"second", kept.options("epoll-edge", 0)};
    EXPECT_EQ((*second).addresses().front(), (*first).addresses().front());
    first.stop();
    Client waits{kept.address()};  // in the queue that neither of the two has closed
    second.run();
    EXPECT_EQ(waits.ask(get).content, "second");
}

// A connection is in the queue of one of four sockets.
TEST(GivenSockets, AreAllServedByFewerWorkers) {
    Named four{"four", {.addresses = {"127.0.0.1:0"}, .engine = "per-core", .workers = 4}};
    const Kept kept{*four};
    ASSERT_EQ(kept.count(), 4u);
    four.run();
    EXPECT_EQ(Client{kept.address()}.ask(get).content, "four");
    for (const auto& [engine, workers] :
         {std::pair{"epoll-edge", 0u}, std::pair{"per-core", 2u}, std::pair{"thread-pool", 2u}}) {
        Named fewer{engine, kept.options(engine, workers)};
        EXPECT_EQ((*fewer).sockets().size(), 4u);
        EXPECT_EQ((*fewer).addresses().size(), 1u);
        four.stop();
        fewer.run();
        for (int i = 0; i < 64; ++i) EXPECT_EQ(Client{kept.address()}.ask(get).content, engine);
    }
}

TEST(GivenSockets, OfOtherAddressesAreLeftAlone) {
    Named other{"other", {.addresses = {"127.0.0.1:0"}, .engine = "epoll-edge"}};
    const Kept kept{*other};
    Options options = kept.options("epoll-edge", 0);
    options.addresses = {"127.0.0.2:0"};
    Named server{"server", std::move(options)};
    EXPECT_EQ((*server).sockets().size(), 1u);
    EXPECT_NE((*server).addresses().front(), (*other).addresses().front());
}

// All addresses of a port that one socket has: the port is this program's.
TEST(GivenSockets, FreeTheirPortForAWiderAddress) {
    Named narrow{"narrow", {.addresses = {"127.0.0.1:0"}, .engine = "epoll-edge"}};
    const Kept kept{*narrow};
    Options options = kept.options("epoll-edge", 0);
    options.addresses = {"0.0.0.0:" + std::to_string(kept.address().port())};
    Named wide{"wide", std::move(options)};
    EXPECT_EQ((*wide).sockets().size(), 1u);
}

TEST(GivenSockets, OfAFileKeepIt) {
    const TemporaryDirectory directory;
    const std::string path = directory / "socket";
    Options options{.addresses = {"unix:" + path}, .engine = "epoll-edge"};
    options.leaves_socket_files = true;
    std::optional<Named> first{std::in_place, "first", options};
    const Kept kept{**first};
    first.reset();
    Named second{"second", kept.options("epoll-edge", 0)};
    second.run();
    EXPECT_EQ(Client{kept.address()}.ask(get).content, "second");
    second.stop();
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(GivenSockets, ThatAreNoneAreAnError) {
    FunctionHandler handler{[](const http::Request&) { return http::Response{}; }};
    Options options{.addresses = {"127.0.0.1:0"}, .engine = "epoll-edge"};
    const net::UniqueFd file{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    options.given_sockets = {file.get()};
    const auto bound = Server{handler, options}.bind();
    ASSERT_FALSE(bound.has_value());
    EXPECT_TRUE(bound.error().message().starts_with("cannot listen on the sockets that were given"))
        << bound.error().message();
}

}  // namespace
}  // namespace weir::server
