// The request as the server behind a proxy gets it.

#include "proxy/request_out.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/site/request_fixture.h"

namespace weir::proxy {
namespace {

using site::TestRequest;

upstream::Target target(std::string path = {}) {
    upstream::Target out;
    out.authority = "app:3000";
    out.path = std::move(path);
    return out;
}

std::string head_of(const TestRequest& request, std::string path = {}, std::string_view below = "/",
                    bool keeps_host = true) {
    return request_out(request.get(), target(std::move(path)), below, keeps_host).head;
}

std::string first_line(std::string_view request, std::string path, std::string_view below) {
    const std::string head = head_of(TestRequest{request}, std::move(path), below);
    return head.substr(0, head.find("\r\n"));
}

TEST(RequestOut, HasTheFieldsOfTheClientAndWhereItCameFrom) {
    EXPECT_EQ(head_of(TestRequest{"GET /a?b=c", {"Accept: */*", "Cookie: a=b", "X-Y: z"}}),
              "GET /a?b=c HTTP/1.1\r\nHost: www.example.org\r\nAccept: */*\r\nX-Y: z\r\n"
              "Cookie: a=b\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: http\r\n"
              "X-Forwarded-Host: www.example.org\r\nVia: 1.1 weir\r\n\r\n");
}

TEST(RequestOut, HasNoFieldOfTheConnection) {
    const std::string head = head_of(TestRequest{
        "GET /",
        {"Connection: X-A, keep-alive", "X-A: 1", "Keep-Alive: 5", "TE: trailers",
         "Proxy-Connection: a", "Proxy-Authorization: a", "Upgrade: h2c", "Trailer: b"}});
    for (const char* const gone :
         {"X-A", "Keep-Alive", "TE:", "Proxy-", "Upgrade", "Trailer", "Connection"})
        EXPECT_EQ(head.find(gone), head.npos) << gone << " in " << head;
}

TEST(RequestOut, ClientCantSayWhereItCameFrom) {
    const std::string head =
        head_of(TestRequest{"GET /",
                            {"X-Forwarded-For: 1.2.3.4", "Forwarded: for=1.2.3.4",
                             "X-Forwarded-Proto: https", "x-forwarded-host: evil"}});
    EXPECT_EQ(head.find("1.2.3.4"), head.npos);
    EXPECT_EQ(head.find("evil"), head.npos);
    EXPECT_NE(head.find("X-Forwarded-Proto: http\r\n"), head.npos);
}

TEST(RequestOut, ClientCantSayItToCgiEither) {
    const std::string head = head_of(
        TestRequest{"GET /",
                    {"X_Forwarded_For: evil", "x-forwarded_proto: evil", "X_FORWARDED-HOST: evil",
                     "Proxy_Authorization: evil", "X_Forwarde_For: a", "Xy_Forwarded_For: b"}});
    EXPECT_EQ(head.find("evil"), head.npos);
    EXPECT_NE(head.find("X_Forwarde_For: a\r\nXy_Forwarded_For: b\r\n"), head.npos);
    EXPECT_NE(head.find("X-Forwarded-For: 192.0.2.7\r\n"), head.npos);
}

/// A server after the model of CGI could take them for those of the frame.
TEST(RequestOut, HasNoFieldThatCgiTakesForOneOfTheConnection) {
    const std::string head = head_of(TestRequest{
        "POST /",
        {"Transfer_Encoding: evil", "transfer_encoding: evil", "Content_Length: evil",
         "CONTENT_LENGTH: evil", "Proxy_Connection: evil", "Keep_Alive: evil", "X_Token: a"}});
    EXPECT_EQ(head.find("evil"), head.npos) << head;
    EXPECT_NE(head.find("X_Token: a\r\n"), head.npos);
    EXPECT_NE(head.find("\r\nContent-Length: 0\r\n"), head.npos);
}

/// A balancer in front may have written X-Forwarded-Port: that one stays.
TEST(RequestOut, HasNoUnderscoreInFieldsOfTheClientsOrigin) {
    const std::string head = head_of(
        TestRequest{"GET /",
                    {"X_Forwarded_Port: evil", "x-forwarded_server: evil", "Forwarded: evil",
                     "X_FORWARDED-PREFIX: evil", "X-Forwarded-Port: 1", "X_Forwarde: 2"}});
    EXPECT_EQ(head.find("evil"), head.npos) << head;
    EXPECT_NE(head.find("X-Forwarded-Port: 1\r\nX_Forwarde: 2\r\n"), head.npos);
}

/// CGI makes HTTP_PROXY of it, where programs look for a proxy of their own (httpoxy).
TEST(RequestOut, HasNoProxyForPrograms) {
    const std::string head = head_of(TestRequest{"GET /", {"Proxy: evil", "pROXY: evil"}});
    EXPECT_EQ(head.find("evil"), head.npos) << head;
}

TEST(RequestOut, ViaNamesAllWhoPassedItOn) {
    EXPECT_NE(head_of(TestRequest{"GET /", {"Via: 1.1 a", "Via: 1.0 b"}})
                  .find("Via: 1.1 a, 1.0 b, 1.1 weir\r\n"),
              std::string::npos);
}

TEST(RequestOut, HostIsThatOfTheClientOrOfTheServer) {
    const TestRequest request{"GET /"};
    EXPECT_NE(head_of(request).find("Host: www.example.org\r\n"), std::string::npos);
    EXPECT_NE(head_of(request, {}, "/", false).find("Host: app:3000\r\n"), std::string::npos);
}

TEST(RequestOut, PathOfTheServerTakesThePlaceOfThatOfTheRoute) {
    EXPECT_EQ(first_line("GET /api/a?b", "", "/api"), "GET /api/a?b HTTP/1.1");
    EXPECT_EQ(first_line("GET /api/a?b", "/", "/api"), "GET /a?b HTTP/1.1");
    EXPECT_EQ(first_line("GET /api", "/", "/api"), "GET / HTTP/1.1");
    EXPECT_EQ(first_line("GET /api/a", "/v1", "/api"), "GET /v1/a HTTP/1.1");
    EXPECT_EQ(first_line("GET /api/a", "/v1/", "/api"), "GET /v1/a HTTP/1.1");
    EXPECT_EQ(first_line("GET /a", "/v1/", "/"), "GET /v1/a HTTP/1.1");
    EXPECT_EQ(first_line("GET http://b/a", "", "/"), "GET /a HTTP/1.1");
}

TEST(RequestOut, EmptyQueryStays) {
    EXPECT_EQ(first_line("GET /api?", "", "/api"), "GET /api? HTTP/1.1");
    EXPECT_EQ(first_line("GET /api/a?", "/", "/api"), "GET /a? HTTP/1.1");
    EXPECT_EQ(first_line("GET http://b?", "", "/"), "GET /? HTTP/1.1");
    EXPECT_EQ(first_line("GET http://b", "", "/"), "GET / HTTP/1.1");
    const TestRequest rewritten{"GET /api/a?b=?"};
    rewritten.get().rewrite("/api/c");
    EXPECT_TRUE(head_of(rewritten).starts_with("GET /api/c HTTP/1.1\r\n"));
}

// The path of the target "/" and a path of the client would make "//host" of two slashes.
TEST(RequestOut, PathHasTheBytesOfTheClientAndBeginsWithOneSlash) {
    for (const char* const path : {"/%61pi/a%2fb//c", "//%61pi///a%2fb//c"}) {
        const std::string line = std::string{"GET "} + path;
        EXPECT_EQ(first_line(line, "", "/api"), "GET /%61pi/a%2fb//c HTTP/1.1");
        EXPECT_EQ(first_line(line, "/", "/api"), "GET /a%2fb//c HTTP/1.1");
    }
    EXPECT_EQ(first_line("GET //host/a", "", "/"), "GET /host/a HTTP/1.1");
}

TEST(RequestOut, ContentHasOneFrame) {
    using Content = http::client::Outgoing::Content;
    const auto out = [](std::string_view line, const std::vector<std::string>& fields) {
        return request_out(TestRequest{line, fields}.get(), target(), "/", true);
    };
    const auto sized = out("POST /", {"Content-Length: 7"});
    EXPECT_EQ(sized.content, Content::sized);
    EXPECT_NE(sized.head.find("\r\nContent-Length: 7\r\n"), std::string::npos);
    const auto chunked = out("POST /", {"Transfer-Encoding: chunked"});
    EXPECT_EQ(chunked.content, Content::chunked);
    EXPECT_NE(chunked.head.find("\r\nTransfer-Encoding: chunked\r\n"), std::string::npos);
    const auto none = out("POST /", {});
    EXPECT_EQ(none.content, Content::none);
    EXPECT_NE(none.head.find("\r\nContent-Length: 0\r\n"), std::string::npos);
    EXPECT_EQ(out("GET /", {}).head.find("Content-Length"), std::string::npos);
}

TEST(RequestOut, ExpectationIsMetHere) {
    EXPECT_EQ(head_of(TestRequest{"POST /", {"Content-Length: 7", "Expect: 100-continue"}})
                  .find("Expect"),
              std::string::npos);
}

TEST(RequestOut, AsksToUpgrade) {
    const auto out = request_out(TestRequest{"GET /",
                                             {"Connection: keep-alive, Upgrade",
                                              "Upgrade: websocket", "Sec-WebSocket-Key: a"}}
                                     .get(),
                                 target(), "/", true);
    EXPECT_TRUE(out.upgrades);
    EXPECT_TRUE(out.head.ends_with("Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"));
    EXPECT_NE(out.head.find("Sec-WebSocket-Key: a\r\n"), out.head.npos);
}

TEST(RequestOut, MaxForwardsOfOptionsAndTraceIsOneLess) {
    const auto passed = [](const char* method, const std::string& value) {
        const std::string head =
            head_of(TestRequest{std::string{method} + " /", {"max-forwards: " + value}});
        const std::size_t begin = head.find("max-forwards: ") + 14;
        return head.substr(begin, head.find("\r\n", begin) - begin);
    };
    for (const char* const method : {"OPTIONS", "TRACE"}) {
        EXPECT_EQ(passed(method, "1"), "0");
        EXPECT_EQ(passed(method, "070"), "69");
        EXPECT_EQ(passed(method, "99999999999999999999999"), "18446744073709551614");
        for (const char* const other : {"", "-1", "1x", "a", "1, 2"})
            EXPECT_EQ(passed(method, other), other);
    }
    EXPECT_EQ(passed("GET", "5"), "5");
}

TEST(RequestOut, AsksForWebSocketAlone) {
    const auto out = [](const std::string& upgrade) {
        return request_out(TestRequest{"GET /",
                                       {"Connection: Upgrade", "Upgrade: " + upgrade,
                                        "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"}}
                               .get(),
                           target(), "/", true);
    };
    for (const char* const other : {"h2c", "TLS/1.0", "websocket/13", "a, b"}) {
        const auto plain = out(other);
        EXPECT_FALSE(plain.upgrades) << other;
        for (const char* const gone : {"Upgrade", "Connection", "HTTP2-Settings"})
            EXPECT_EQ(plain.head.find(gone), plain.head.npos) << gone << " in " << plain.head;
    }
    for (const char* const wanted : {"WebSocket", "h2c, websocket"}) {
        const auto upgrading = out(wanted);
        EXPECT_TRUE(upgrading.upgrades) << wanted;
        EXPECT_NE(upgrading.head.find("\r\nUpgrade: websocket\r\n"), upgrading.head.npos);
        EXPECT_EQ(upgrading.head.find("h2c"), upgrading.head.npos);
    }
}

}  // namespace
}  // namespace weir::proxy
