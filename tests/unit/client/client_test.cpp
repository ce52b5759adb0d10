// Requests to other servers: what they send, what comes back, and how they end.

#include "weir/client/client.h"

#include <chrono>
#include <stdexcept>

#include "client_fixture.h"
#include "weir/web/body.h"
#include "weir/web/flag.h"
#include "weir/web/stream.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
using Reason = ClientError::Reason;

using ClientTest = ClientFixture;

TEST_F(ClientTest, GetsTheContentOfAnotherServer) {
    other.get("/users/{id}", [](const Call& call) {
        return text("user " + std::string{call.parameter("id")} + " of " +
                    std::string{call.request().authority()});
    });
    respond_with_content_of({"GET", "http://users.example:3000/users/7"});
    const auto answer = probe.get("/");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content, "user 7 of users.example:3000");
}

TEST_F(ClientTest, ARequestHasAllThatItShould) {
    std::string seen;
    other.put("/a b", [&seen](const Call& call) {
        for (const auto& line : call.request().fields())
            seen.append(call.request().name_of(line))
                .append("=")
                .append(call.request().value_of(line))
                .append("\n");
        seen += "?" + std::string{call.request().query()} + "\n" + std::string{call.content()};
        return text("");
    });
    respond_with_content_of(ClientRequest{"PUT", "HTTP://Example.com/a b?c=ä#d"}
                                .field("If-None-Match", "*")
                                .content("hello", "text/plain"));
    EXPECT_EQ(probe.get("/").status, 200);
    EXPECT_EQ(seen,
              "Host=example.com\nUser-Agent=weir\nIf-None-Match=*\nContent-Type=text/plain\n"
              "Content-Length=5\n?c=%c3%a4\nhello");
}

TEST_F(ClientTest, OwnFieldsTakeTheDefaultsPlace) {
    other.get("/", [](const Call& call) {
        return text(std::string{*call.field("Host")} + " " +
                    std::string{*call.field("User-Agent")});
    });
    respond_with_content_of(
        ClientRequest{"GET", "http://a/"}.field("host", "b").field("user-agent", "c"));
    EXPECT_EQ(probe.get("/").content, "b c");
}

TEST_F(ClientTest, AFieldThatARequestHasOnceIsReplaced) {
    other.get("/", [](const Call& call) {
        std::string seen;
        for (const auto& line : call.request().fields())
            seen.append(call.request().value_of(line)).append(" ");
        return text(seen);
    });
    respond_with_content_of(ClientRequest{"GET", "http://a/"}
                                .field("Host", "b")
                                .field("Accept", "d")
                                .field("User-Agent", "c")
                                .field("host", "e")
                                .field("accept", "f"));
    EXPECT_EQ(probe.get("/").content, "d c e f ");
}

TEST_F(ClientTest, AResponseHasItsParts) {
    other.get("/", [](const Call&) {
        auto response = text("no", Status::not_found);
        response.set("X-One", "1").add("X-Two", "2");
        return response;
    });
    respond_with([](Client& of) -> Task<std::string> {
        auto response = co_await of.get("http://a");
        EXPECT_EQ(response.status(), Status::not_found);
        EXPECT_FALSE(response.is_ok());
        EXPECT_EQ(response.field("x-one"), "1");
        EXPECT_FALSE(response.field("X-Three"));
        EXPECT_EQ(response.fields().back().second, "2");
        EXPECT_EQ(response.url(), "http://a/");
        co_return co_await response.all();
    });
    EXPECT_EQ(probe.get("/").content, "no");
}

TEST_F(ClientTest, HeadAndNoContentEndAtOnce) {
    other.get("/", [](const Call&) { return text("hello"); });
    other.del("/", [](const Call&) { return Response{Status::no_content}; });
    respond_with([](Client& of) -> Task<std::string> {
        auto head = co_await of.send(ClientRequest{"HEAD", "http://a/"});
        EXPECT_EQ(head.field("Content-Length"), "5");
        EXPECT_EQ(co_await head.all(), "");
        auto none = co_await of.send(ClientRequest{"DELETE", "http://a/"});
        EXPECT_EQ(none.status(), Status::no_content);
        co_return co_await none.all();
    });
    EXPECT_EQ(probe.get("/").content, "");
}

TEST_F(ClientTest, WorksBehindHttp2) {
    probe.speak(Probe::Protocol::http2);
    other.get("/", [](const Call&) { return text("hello"); });
    respond_with_content_of({"GET", "http://a/"});
    EXPECT_EQ(probe.get("/").content, "hello");
}

TEST_F(ClientTest, SeveralRequestsGoSideBySide) {
    const Flag goes_on;
    int begun = 0;
    other.get("/{name}", [&](Call call) -> Task<Response> {
        ++begun;
        co_await goes_on.wait();
        co_return text(std::string{call.parameter("name")});
    });
    router.get("/", [this](Call) -> Task<Response> {
        auto [one, two] =
            co_await when_all(client->get("http://a/one"), client->get("http://b/two"));
        co_return text(co_await one.all() + co_await two.all());
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_FALSE(exchange.answer().is_complete);
    EXPECT_EQ(begun, 2);
    goes_on.set();
    EXPECT_EQ(exchange.wait().content, "onetwo");
}

// ---- how requests fail ----

TEST_F(ClientTest, WithoutAServerTheResponseIsA502) {
    Probe alone{router};
    respond_with_content_of({"GET", "http://a/b"});
    const auto answer = alone.get("/");
    EXPECT_EQ(answer.status, 502);
    EXPECT_TRUE(answer.content.contains("cannot be reached")) << answer.content;
    EXPECT_EQ(reason, Reason::unreachable);
    EXPECT_EQ(failed_url, "http://a/b");
    EXPECT_TRUE(alone.failures().empty());
}

TEST_F(ClientTest, AServerThatIsTooSlowIsA504) {
    with({.response_timeout = 3s});
    other.get("/", [](Call) -> Task<Response> {
        co_await sleep_for(1h);
        co_return text("late");
    });
    respond_with_content_of({"GET", "http://a/"});
    auto exchange = probe.open("GET", "/");
    probe.advance(2'999ms);
    EXPECT_EQ(exchange.answer().status, 0u);
    probe.advance(1ms);
    EXPECT_EQ(exchange.wait().status, 504);
    EXPECT_EQ(reason, Reason::timed_out);
}

TEST_F(ClientTest, AServerThatStopsInTheMiddleOfItsContentIsA504) {
    with({.content_timeout = 3s});
    other.get("/", [](const Call& call) {
        return stream(call, "text/plain", [](Stream out) -> Task<> {
            co_await out.write("some");
            co_await sleep_for(2s);
            co_await out.write("more");
            co_await sleep_for(1h);
        });
    });
    respond_with_content_of({"GET", "http://a/"});
    auto exchange = probe.open("GET", "/");
    probe.advance(2s);
    probe.advance(2'999ms);
    EXPECT_EQ(exchange.answer().status, 0u);
    probe.advance(1ms);
    EXPECT_EQ(exchange.wait().status, 504);
    EXPECT_EQ(reason, Reason::timed_out);
}

TEST_F(ClientTest, TheWaitForAConnectionHasALimit) {
    with({.response_timeout = 3s, .connections_max = 1});
    other.get("/long", [](const Call& call) {
        return stream(call, "text/plain", [](Stream out) -> Task<> {
            co_await out.write("some");
            co_await sleep_for(1h);
        });
    });
    router.get("/long", [this](Call) -> Task<Response> {
        auto response = co_await client->get("http://a/long");
        co_return text(co_await response.all());
    });
    respond_with_content_of({"GET", "http://a/"});
    router.get("/upload", [this](Call) -> Task<Response> {
        auto upload = co_await client->upload(ClientRequest{"PUT", "http://a/"});
        while (co_await upload.write(std::string(1024, 'a'))) continue;
        co_return text("");
    });
    auto holds = probe.open("GET", "/long");
    auto waits = probe.open("GET", "/");
    auto uploads = probe.open("GET", "/upload");
    probe.advance(2'999ms);
    EXPECT_EQ(waits.answer().status, 0u);
    EXPECT_EQ(uploads.answer().status, 0u);
    probe.advance(1ms);
    EXPECT_EQ(waits.wait().status, 503);
    EXPECT_EQ(reason, Reason::busy);
    EXPECT_EQ(uploads.wait().status, 503);
    EXPECT_EQ(holds.answer().status, 0u);
}

/// Says when its server has heard that the client has gone.
struct ClientCancels : ClientFixture {
    ClientCancels() {
        other.get("/", [this](Call call) -> Task<Response> {
            has_begun = true;
            const std::stop_callback on_stop{call.stop_token(), [this] { is_stopped = true; }};
            co_await sleep_for(1h);
            co_return text("late");
        });
    }
    bool has_begun = false;
    bool is_stopped = false;
};

TEST_F(ClientCancels, WithTheRequestThatItServes) {
    respond_with_content_of({"GET", "http://a/"});
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(exchange.answer().status, 0u);
    EXPECT_TRUE(has_begun);
    EXPECT_FALSE(is_stopped);
    exchange.leave();
    probe.advance(1ms);
    EXPECT_TRUE(is_stopped);
}

TEST_F(ClientCancels, WithItsTimeout) {
    router.get("/", [this](Call) -> Task<Response> {
        auto response = co_await with_timeout(2s, client->get("http://a/"));
        co_return text(co_await response.all());
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(2s);
    EXPECT_EQ(exchange.wait().status, 503);
    EXPECT_TRUE(is_stopped);
}

TEST_F(ClientTest, WrongUrlsAndRequestsThrow) {
    EXPECT_THROW((ClientRequest{"GE T", "http://a/"}), std::invalid_argument);
    EXPECT_THROW((ClientRequest{"CONNECT", "http://a/"}), std::invalid_argument);
    ClientRequest request{"GET", "http://a/"};
    EXPECT_THROW(request.field("a b", "c"), std::invalid_argument);
    EXPECT_THROW(request.field("a", "b\r\nc: d"), std::invalid_argument);
    EXPECT_THROW(request.field("content-length", "1"), std::invalid_argument);
    EXPECT_THROW(request.content("a", "b\n"), std::invalid_argument);
    EXPECT_THROW(Client{{.unix_socket = std::string(200, 'a')}}, std::invalid_argument);
    respond_with_content_of({"GET", "ftp://a/"});
    EXPECT_EQ(probe.get("/").status, 500);
    ASSERT_EQ(probe.failures().size(), 1u);
    EXPECT_TRUE(probe.failures()[0].contains("not a URL of http or https: ftp://a/"));
}

TEST_F(ClientTest, HttpsNeedsTls) {
    respond_with_content_of({"GET", "https://a/"});
    EXPECT_EQ(probe.get("/").status, 500);
    ASSERT_EQ(probe.failures().size(), 1u);
    EXPECT_TRUE(probe.failures()[0].contains("https needs ClientOptions::tls: https://a/"));
}

}  // namespace
}  // namespace weir::web
