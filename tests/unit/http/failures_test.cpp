// Code of the program that throws after its handler has returned: the observer is told, and the peer
// sees it.

#include <gtest/gtest.h>

#include "unit/http/connection_driver.h"
#include "unit/http/throwing.h"

namespace weir::http {
namespace {

const std::string get = "GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n";

struct Failing : testing::TestWithParam<bool> {
    /// Told or not, the peer sees the same.
    ConnectionDriver& peer_of(Driver::Handle handle) {
        peer.emplace(std::move(handle));
        if (GetParam()) peer->workspace.failures = &failures;
        return *peer;
    }
    void expect_told(const std::string& what) const {
        EXPECT_EQ(failures.told, GetParam() ? std::vector{what} : std::vector<std::string>{});
    }

    Thrown thrown;
    Failures failures;
    std::optional<ConnectionDriver> peer;
};

INSTANTIATE_TEST_SUITE_P(Observed, Failing, testing::Bool());

TEST_P(Failing, SourceCutsItsAnswer) {
    ConnectionDriver& client =
        peer_of([&](const Request&) { return from_source<ThrowingSource>(thrown); });
    client.settles = true;  // the request need not be there any more
    client.receive(get);
    EXPECT_TRUE(client.sent.ends_with("\r\n\r\n0001\r\nx\r\n"));
    EXPECT_TRUE(failures.told.empty());
    client.wake();
    EXPECT_EQ(client.step(), Step::close);
    EXPECT_EQ(thrown.done, std::vector{Outcome::source_failed});
    expect_told("a source threw an exception for GET /a?b: dry");
}

TEST_P(Failing, SizeIsReplacedBy500) {
    ConnectionDriver& client =
        peer_of([&](const Request&) { return from_source<SizeThrowingSource>(thrown); });
    client.receive(get + get);
    EXPECT_TRUE(client.take_sent().starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
    EXPECT_EQ(client.step(), Step::receive);
    EXPECT_EQ(thrown.done.size(), 2u);
    EXPECT_EQ(failures.told.size(), GetParam() ? 2u : 0u);
}

TEST_P(Failing, SinkIsA500) {
    ConnectionDriver& client = peer_of(
        [&](const Request&) -> Reply { return StreamContent{std::make_unique<ThrowingSink>()}; });
    client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx");
    EXPECT_TRUE(client.sent.starts_with("HTTP/1.1 500 "));
    expect_told("a sink threw an exception for POST /: full");
}

TEST_P(Failing, ContinuationIsA500) {
    ConnectionDriver& client = peer_of(
        [](const Request&) -> Reply { return Later{std::make_unique<ThrowingContinuation>()}; });
    client.receive(get);
    EXPECT_TRUE(client.sent.starts_with("HTTP/1.1 500 "));
    EXPECT_EQ(client.step(), Step::receive);
    expect_told("the handler threw an exception for GET /a?b: lost");
}

TEST_P(Failing, MayHaveAResponseOfItsOwn) {
    struct Fails final : Continuation {
        Reply resume() override {
            throw Failure{"the handler failed", std::make_exception_ptr(std::runtime_error{"lost"}),
                          hello_again()};
        }
        static Response hello_again() { return Response{Status::bad_gateway}.add("X-Own", "1"); }
    };
    ConnectionDriver& client =
        peer_of([](const Request&) -> Reply { return Later{std::make_unique<Fails>()}; });
    client.receive(get);
    EXPECT_TRUE(client.sent.starts_with("HTTP/1.1 502 ")) << client.sent;
    EXPECT_NE(client.sent.find("X-Own: 1\r\n"), std::string::npos);
    expect_told("the handler failed for GET /a?b: lost");
}

TEST_P(Failing, HandlerThatTakesTooLongIsTold) {
    ConnectionDriver& client = peer_of([](const Request&) -> Reply { return Later{}; });
    client.receive(get);
    client.pass(std::chrono::hours{1});
    EXPECT_TRUE(client.sent.starts_with("HTTP/1.1 503 ")) << client.sent;
    expect_told("the handler took too long for GET /a?b");
}

TEST_P(Failing, TunnelHasALastWord) {
    ConnectionDriver& client = peer_of([](const Request&) -> Reply {
        Response response;
        response.upgrade("torn", std::make_unique<ThrowingTunnel>());
        return response;
    });
    client.settles = true;
    client.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: torn\r\n\r\n");
    EXPECT_TRUE(client.sent.ends_with("\r\n\r\n!"));
    expect_told("a tunnel threw an exception for GET /: torn");
}

}  // namespace
}  // namespace weir::http
