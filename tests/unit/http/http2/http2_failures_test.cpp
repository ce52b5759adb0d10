// Code of the program that throws after its handler has returned: the observer is told, and the
// stream ends, but not its connection.

#include <gtest/gtest.h>

#include "http2_driver.h"
#include "unit/http/throwing.h"

namespace weir::http {
namespace {

struct Http2Failures : ::testing::Test {
    Http2Driver& peer_of(Driver::Handle handle) {
        peer.emplace([handle = std::move(handle)](const Request& request) -> Reply {
            return request.target() == "/hello" ? hello(request) : handle(request);
        });
        peer->workspace.failures = &failures;
        return *peer;
    }
    void expect_told(const std::string& what) {
        EXPECT_EQ(failures.told, std::vector{what});
        peer->receive(h2::get(99, "/hello"));
        EXPECT_EQ(peer->stream(99).content, "hello");
    }

    Thrown thrown;
    Failures failures;
    std::optional<Http2Driver> peer;
};

TEST_F(Http2Failures, SourceResetsItsStream) {
    Http2Driver& client =
        peer_of([&](const Request&) { return from_source<ThrowingSource>(thrown); });
    client.receive(h2::hello() + h2::get(1, "/a?b"));
    EXPECT_EQ(client.stream(1).content, "x");
    client.wake();
    EXPECT_EQ(client.stream(1).code, h2::ErrorCode::internal_error);
    EXPECT_EQ(thrown.done, std::vector{Outcome::source_failed});
    expect_told("a source threw an exception for GET /a?b: dry");
}

TEST_F(Http2Failures, SizeIsReplacedBy500) {
    Http2Driver& client =
        peer_of([&](const Request&) { return from_source<SizeThrowingSource>(thrown); });
    client.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(client.stream(1).status(), 500);
    EXPECT_EQ(thrown.done, std::vector{Outcome::source_failed});
    expect_told("a source threw an exception for GET /: how many?");
}

TEST_F(Http2Failures, SinkIsA500) {
    Http2Driver& client = peer_of(
        [&](const Request&) -> Reply { return StreamContent{std::make_unique<ThrowingSink>()}; });
    client.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "x"));
    EXPECT_EQ(client.stream(1).status(), 500);
    expect_told("a sink threw an exception for POST /: full");
}

TEST_F(Http2Failures, ContinuationIsA500) {
    Http2Driver& client = peer_of(
        [](const Request&) -> Reply { return Later{std::make_unique<ThrowingContinuation>()}; });
    client.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(client.stream(1).status(), 500);
    expect_told("the handler threw an exception for GET /: lost");
}

TEST_F(Http2Failures, TunnelHasALastWord) {
    Http2Driver& client = peer_of([](const Request&) -> Reply {
        Response response;
        response.upgrade("torn", std::make_unique<ThrowingTunnel>());
        return response;
    });
    client.receive(h2::hello() + h2::headers(1,
                                             {{":method", "CONNECT"},
                                              {":protocol", "torn"},
                                              {":scheme", "https"},
                                              {":path", "/"},
                                              {":authority", "a"}},
                                             h2::flag::end_headers));
    EXPECT_EQ(client.stream(1).content, "!");
    expect_told("a tunnel threw an exception for GET /: torn");
}

}  // namespace
}  // namespace weir::http
