// Answers that come later, and requests that outlive their connection.

#include <gtest/gtest.h>

#include "connection_driver.h"

namespace weir::http {
namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(LateAnswer, LateAnswersKeepTheirPlace) {
    std::vector<Deferred> deferred;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        if (request.path() != "/later") return hello(request);
        deferred.push_back(request.defer());
        return Later{};
    }};
    peer.receive(get + "GET /later HTTP/1.1\r\nHost: a\r\n\r\n" + get);
    EXPECT_EQ(peer.sent, hello_answer);  // what is ready does not wait
    EXPECT_EQ(peer.step(), Step::wait);
    Response late;
    late.content(std::string{"late"});
    deferred.back().respond(std::move(late));
    peer.deliver();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\nlate" + hello_answer)) << peer.sent;
    EXPECT_EQ(peer.handled, 3);
    EXPECT_EQ(peer.seen[1].target, "/later");
}

TEST(LateAnswer, AnAnswerThatComesWhileAnEarlierOneIsSentWaitsForIt) {
    std::vector<Deferred> deferred;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        if (request.path() != "/later") return hello(request);
        deferred.push_back(request.defer());
        return Later{};
    }};
    peer.send_max = 0;
    peer.receive(get + "GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(peer.step(), Step::transmit);
    const std::string_view in_flight = peer.connection->transmit().parts[0];
    Response late{Status::accepted};
    late.content(std::string(9000, 'x'));  // the bytes would move to make room for it
    deferred.back().respond(std::move(late));
    peer.deliver();
    const Transmission still = peer.connection->transmit();
    EXPECT_EQ(still.parts[0].data(), in_flight.data());
    EXPECT_EQ(still.part_bytes(), in_flight.size());
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_TRUE(peer.sent.starts_with(hello_answer + "HTTP/1.1 202 ")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::receive);
}

/// Says what its connection told it.
struct ToldSource final : Source {
    explicit ToldSource(std::string& into) : told{into} {}
    std::optional<std::uint64_t> size() const override { return std::nullopt; }
    Pulled pull(std::span<char>) override { return End{}; }
    void done(Outcome outcome) noexcept override {
        told += outcome == Outcome::timed_out ? "timed out" : "other";
    }
    std::string& told;
};
struct ToldSink final : Sink {
    explicit ToldSink(std::string& into) : told{into} {}
    Taken take(std::string_view) override { return Taken::more; }
    void cut() noexcept override { told += "cut"; }
    std::string& told;
};

TEST(LateAnswer, AReplyThatIsTooLateTellsItsSourceAndItsSink) {
    std::string source_told;
    std::string sink_told;
    ConnectionDriver peer{[](const Request&) -> Reply { return Later{}; }};
    peer.receive(get);
    peer.pass(peer.timeouts.handler);
    ASSERT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    Response response;
    response.content(std::make_unique<ToldSource>(source_told));
    peer.connection->respond(1, std::move(response), peer.now);
    peer.connection->respond(1, StreamContent{std::make_unique<ToldSink>(sink_told)}, peer.now);
    EXPECT_EQ(source_told, "timed out");
    EXPECT_EQ(sink_told, "cut");
}

TEST(LateAnswer, AForgottenPromiseIsA500) {
    ConnectionDriver peer{[](const Request& request) -> Reply {
        { const Deferred forgotten = request.defer(); }
        return Later{};
    }};
    peer.receive(get);
    peer.deliver();
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 500 ")) << peer.sent;
}

TEST(LateAnswer, ASharedRequestOutlivesItsConnection) {
    std::shared_ptr<const Request> shared;
    {
        ConnectionDriver peer{[&](const Request& request) -> Reply {
            if (!shared) shared = request.share();
            return Response{};
        }};
        peer.receive("GET /kept?q HTTP/1.1\r\nHost: a.example\r\n\r\n" + get);
        EXPECT_EQ(peer.handled, 2);
    }
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->authority(), "a.example");
    EXPECT_EQ(shared->path(), "/kept");
}

}  // namespace
}  // namespace weir::http
