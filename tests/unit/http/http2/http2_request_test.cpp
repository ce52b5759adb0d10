// From fields to requests: what handlers see, and what is refused.

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
namespace flag = h2::flag;

/// Says what it was asked for.
Reply echo(const Request& request) {
    std::string text{request.method_text()};
    text.append(" ").append(request.target()).append(" HTTP/");
    text += std::to_string(request.major_version()) + "." + std::to_string(request.minor_version());
    text.append(" ").append(request.authority()).append("\n");
    for (const FieldLine& line : request.fields())
        text.append(request.name_of(line)).append("=").append(request.value_of(line)).append("\n");
    Response response;
    response.content(std::move(text));
    return response;
}

TEST(Http2Request, IsThatOfHttp1) {
    Http2Driver peer{echo};
    peer.receive(h2::hello() + h2::get(1, "/a/b?c=d", {{"accept", "text/html"}, {"x-own", "1"}}));
    EXPECT_EQ(peer.stream(1).content,
              "GET /a/b?c=d HTTP/2.0 weir.test\nhost=weir.test\naccept=text/html\nx-own=1\n");
    EXPECT_TRUE(peer.stream(1).is_whole);
    EXPECT_EQ(peer.stream(1).status(), 200);
}

TEST(Http2Request, ItsPathAndQueryAreTold) {
    Http2Driver peer{[](const Request& request) -> Reply {
        Response response;
        response.content(std::string{request.path()} + "|" + std::string{request.query()});
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/a?b"));
    EXPECT_EQ(peer.stream(1).content, "/a|b");
}

TEST(Http2Request, ManyAtOnceAreAnsweredInOneSend) {
    Http2Driver peer{hello};
    std::string all = h2::hello();
    for (h2::StreamId id = 1; id < 200; id += 2) all += h2::get(id, "/");
    peer.receive(all);
    for (h2::StreamId id = 1; id < 200; id += 2) EXPECT_EQ(peer.stream(id).content, "hello") << id;
    EXPECT_EQ(peer.flushes.size(), 1u);
    EXPECT_EQ(peer.handled, 100);
}

TEST(Http2Request, CookiesInPiecesAreOne) {
    Http2Driver peer{echo};
    peer.receive(h2::hello() + h2::get(1, "/", {{"cookie", "a=1"}, {"x", "y"}, {"cookie", "b=2"}}));
    EXPECT_NE(peer.stream(1).content.find("cookie=a=1; b=2\n"), std::string::npos);
}

TEST(Http2Request, AHostThatSaysTheSameIsNoSecondOne) {
    Http2Driver peer{echo};
    peer.receive(h2::hello() + h2::get(1, "/", {{"host", "WEIR.test"}}));
    EXPECT_EQ(peer.stream(1).content, "GET / HTTP/2.0 weir.test\nhost=weir.test\n");
    // Without :authority, it says the server.
    peer.receive(h2::headers(
        3, {{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {"host", "other.test"}},
        flag::end_headers | flag::end_stream));
    EXPECT_EQ(peer.stream(3).content, "GET / HTTP/2.0 other.test\nhost=other.test\n");
}

TEST(Http2Request, OptionsOfTheServerAndConnectHaveTheirForms) {
    Http2Driver peer{[](const Request& request) -> Reply {
        Response response{request.form() == TargetForm::asterisk    ? Status::no_content
                          : request.form() == TargetForm::authority ? Status::method_not_allowed
                                                                    : Status::ok};
        return response;
    }};
    h2::Fields options = h2::get_fields("*");
    options.front().second = "OPTIONS";
    peer.receive(h2::hello() + h2::headers(1, options, flag::end_headers | flag::end_stream));
    EXPECT_EQ(peer.stream(1).status(), 204);
    peer.receive(h2::headers(3, {{":method", "CONNECT"}, {":authority", "weir.test:443"}},
                             flag::end_headers));
    EXPECT_EQ(peer.stream(3).status(), 405);
}

TEST(Http2Request, ATunnelIsRefusedWhateverTheHandlerSays) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() +
                 h2::headers(1, {{":method", "CONNECT"}, {":authority", "weir.test:443"}},
                             flag::end_headers));
    EXPECT_EQ(peer.stream(1).status(), 501);
}

/// Requests that are reset, for they are malformed (RFC 9113 8.1.1).
class Malformed : public ::testing::TestWithParam<h2::Fields> {};

TEST_P(Malformed, IsResetAndNeverHandled) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::headers(1, GetParam(), flag::end_headers | flag::end_stream));
    EXPECT_TRUE(peer.stream(1).was_reset);
    EXPECT_EQ(peer.stream(1).code, ErrorCode::protocol_error);
    EXPECT_EQ(peer.handled, 0);
    // The others of the connection go on.
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).content, "hello");
}

h2::Fields with(std::string_view name, std::string_view value) {
    return h2::get_fields("/", {{std::string{name}, std::string{value}}});
}
h2::Fields without(std::string_view name) {
    h2::Fields fields = h2::get_fields("/");
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    return fields;
}
h2::Fields instead(std::string_view name, std::string_view value) {
    h2::Fields fields = h2::get_fields("/");
    for (auto& field : fields)
        if (field.first == name) field.second = value;
    return fields;
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Malformed,
    ::testing::Values(
        with("X-Large", "a"), with("", "a"), with("a b", "c"), with("a:", "c"), with("a\r\nb", "c"),
        with("connection", "close"), with("transfer-encoding", "chunked"), with("upgrade", "h2c"),
        with("keep-alive", "1"), with("proxy-connection", "close"), with("te", "gzip"),
        with("a", " b"), with("a", "b\t"), with("a", "b\r\nc: d"), with("a", "b\r\n\r\n"),
        with(":status", "200"), with(":unknown", "a"), with(":method", "GET"), with(":path", "/"),
        with("host", "other.test"), with(":protocol", "websocket"), with("content-length", "1"),
        without(":method"), without(":scheme"), without(":path"), instead(":path", ""),
        instead(":path", "http://weir.test/"), instead(":path", "a"),
        instead(":path", "/ HTTP/1.1\r\nx: y"), instead(":scheme", "ftp"), instead(":scheme", ""),
        instead(":method", "\r\nGET"), instead(":authority", "a\r\nx: y"),
        instead(":authority", "weir.test\r\n\r\n"),
        h2::Fields{{":method", "GET"}, {":scheme", "http"}, {"a", "b"}, {":path", "/"}},
        h2::Fields{{":method", "CONNECT"}, {":authority", "a:1"}, {":path", "/"}}));

/// Requests that are told what is wrong, as over HTTP/1.
struct Refusal {
    h2::Fields fields;
    int status;
};
class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, HasTheStatusOfHttp1) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() +
                 h2::headers(1, GetParam().fields, flag::end_headers | flag::end_stream));
    EXPECT_EQ(peer.stream(1).status(), GetParam().status);
    EXPECT_EQ(peer.handled, 0);
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).content, "hello");
}

h2::Fields many_fields() {
    h2::Fields fields = h2::get_fields("/");
    for (int i = 0; i < 101; ++i) fields.emplace_back("a", "b");
    return fields;
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Refused,
    ::testing::Values(Refusal{instead(":path", "/a b"), 400}, Refusal{instead(":path", "/#a"), 400},
                      Refusal{instead(":path", std::string("/\0", 2)), 400},
                      Refusal{instead(":authority", "user@weir.test"), 400},
                      Refusal{instead(":authority", "weir.test:99999"), 400},
                      Refusal{instead(":method", "G T"), 400}, Refusal{without(":authority"), 400},
                      Refusal{with("a", std::string("b\0c", 3)), 400},
                      Refusal{with("content-length", "x"), 400},
                      Refusal{with("expect", "else"), 417},
                      Refusal{instead(":path", "/" + std::string(9'000, 'a')), 414},
                      Refusal{with("a", std::string(9'000, 'a')), 431},
                      Refusal{many_fields(), 431}));

TEST(Http2Request, FieldsMayTakeSeveralFrames) {
    Http2Driver peer{echo};
    const std::string section =
        h2::section(h2::get_fields("/", {{"x-long", std::string(5'000, 'a')}}));
    peer.receive(
        h2::hello() +
        h2::frame(h2::FrameType::headers, flag::end_stream, 1, section.substr(0, 10)) +
        h2::frame(h2::FrameType::continuation, 0, 1, section.substr(10, 3'000)) +
        h2::frame(h2::FrameType::continuation, flag::end_headers, 1, section.substr(3'010)));
    EXPECT_NE(peer.stream(1).content.find("x-long=aaa"), std::string::npos);
}

TEST(Http2Request, PaddingIsNoField) {
    Http2Driver peer{echo};
    const std::string payload = "\x05" + h2::section(h2::get_fields("/")) + std::string(5, '\0');
    peer.receive(h2::hello() + h2::frame(h2::FrameType::headers,
                                         flag::padded | flag::end_headers | flag::end_stream, 1,
                                         payload));
    EXPECT_EQ(peer.stream(1).content, "GET / HTTP/2.0 weir.test\nhost=weir.test\n");
}

TEST(Http2Request, OneThatIsSharedOutlivesItsStream) {
    std::shared_ptr<const Request> kept;
    Http2Driver peer{[&](const Request& request) -> Reply {
        if (!kept) kept = request.share();
        return hello(request);
    }};
    peer.receive(h2::hello() + h2::get(1, "/kept"));
    for (h2::StreamId id = 3; id < 40; id += 2) peer.receive(h2::get(id, "/others"));
    EXPECT_EQ(kept->target(), "/kept");
    EXPECT_EQ(kept->major_version(), 2u);
}

}  // namespace
}  // namespace weir::http
