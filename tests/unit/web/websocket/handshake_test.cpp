#include "web/websocket/handshake.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/websocket_frames.h"
#include "web/websocket/sha1.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

namespace frames = tests::websocket;

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) {
        out += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4U];
        out += "0123456789abcdef"[static_cast<unsigned char>(byte) & 0xfU];
    }
    return out;
}

TEST(Sha1, HasTheDigestsOfTheStandard) {
    EXPECT_EQ(hex(ws::sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(hex(ws::sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(hex(ws::sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(hex(ws::sha1(std::string(1'000'000, 'a'))),
              "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

struct Handshake : ::testing::Test {
    Router router;
    Probe probe{router};
    WebSocketOptions options;

    /// The answer to the usual fields but one, which is left out if it is empty.
    Probe::Answer open(std::string_view name = {}, std::string_view value = {},
                       Probe::Fields more = {}, std::string_view method = "GET") {
        Router of_this;
        of_this.add("/", websocket([](WebSocket) -> Task<> { co_return; }, options));
        Probe its_probe{of_this};
        Probe::Fields fields = frames::opening();
        std::erase_if(fields, [&](const auto& field) { return field.first == name; });
        if (!value.empty()) fields.emplace_back(name, value);
        fields.insert(fields.end(), more.begin(), more.end());
        return its_probe.open(method, "/", fields).answer();
    }
};

TEST_F(Handshake, IsTheOneOfTheStandard) {
    const auto answer = open();
    EXPECT_EQ(answer.status, 101U);
    EXPECT_EQ(answer.field("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    EXPECT_EQ(answer.field("Upgrade"), "websocket");
    EXPECT_EQ(answer.field("Connection"), "Upgrade");
    EXPECT_EQ(answer.field("Sec-WebSocket-Protocol"), "");
    EXPECT_EQ(answer.field("Sec-WebSocket-Extensions"), "");
    EXPECT_EQ(answer.field("Transfer-Encoding"), "");
    EXPECT_EQ(answer.field("Content-Length"), "");
    EXPECT_EQ(frames::shown(answer.content), "close:1000");
}

TEST_F(Handshake, TakesTheFieldsInAnyCaseAndInLists) {
    EXPECT_EQ(open("Upgrade", "h2c, WebSocket").status, 101U);
    EXPECT_EQ(open("Connection", "UPGRADE").status, 101U);
}

TEST_F(Handshake, WithoutUpgradeIsA426) {
    for (const auto* const name : {"Upgrade", "Connection"}) {
        const auto answer = open(name);
        EXPECT_EQ(answer.status, 426U);
        EXPECT_EQ(answer.field("Upgrade"), "websocket");
        EXPECT_EQ(answer.field("Sec-WebSocket-Version"), "13");
    }
    EXPECT_EQ(open("Upgrade", "h2c").status, 426U);
    EXPECT_EQ(open("", "", {}, "POST").status, 426U);
    EXPECT_EQ(open("", "", {}, "HEAD").status, 426U);
}

TEST_F(Handshake, OfAnotherVersionIsA426) {
    for (const auto* const version : {"", "8", "12", "13, 8", "130"}) {
        const auto answer = open("Sec-WebSocket-Version", version);
        EXPECT_EQ(answer.status, 426U) << version;
        EXPECT_EQ(answer.field("Sec-WebSocket-Version"), "13");
        EXPECT_EQ(answer.field("Upgrade"), "websocket");
    }
    EXPECT_EQ(open("", "", {{"Sec-WebSocket-Version", "13"}}).status, 426U) << "twice";
}

TEST_F(Handshake, WithABadKeyIsA400) {
    for (const auto* const key : {"", "x", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZTE=",
                                  "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZQ==,x"})
        EXPECT_EQ(open("Sec-WebSocket-Key", key).status, 400U) << key;
    EXPECT_EQ(open("", "", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}}).status, 400U);
}

TEST_F(Handshake, ChoosesTheServersFavouriteSubprotocol) {
    options.protocols = {"v2.chat", "v1.chat"};
    EXPECT_EQ(open("Sec-WebSocket-Protocol", "v1.chat, v2.chat").field("Sec-WebSocket-Protocol"),
              "v2.chat");
    EXPECT_EQ(open("Sec-WebSocket-Protocol", "v0.chat, v1.chat").field("Sec-WebSocket-Protocol"),
              "v1.chat");
    const auto none = open("Sec-WebSocket-Protocol", "v0.chat");
    EXPECT_EQ(none.status, 101U);
    EXPECT_EQ(none.field("Sec-WebSocket-Protocol"), "");
    EXPECT_EQ(open().field("Sec-WebSocket-Protocol"), "");
}

TEST_F(Handshake, IsForPagesOfTheSameOriginUnlessTold) {
    const auto from = [this](std::string_view origin, std::string_view host = "localhost") {
        return open("Origin", origin, {{"Host", std::string{host}}}).status;
    };
    EXPECT_EQ(from("http://localhost"), 101U);
    EXPECT_EQ(from("https://LOCALHOST"), 101U) << "TLS may end in front of the server";
    EXPECT_EQ(from("http://localhost:8000", "localhost:8000"), 101U);
    EXPECT_EQ(from("http://localhost", "localhost:80"), 101U);
    EXPECT_EQ(from("https://localhost", "localhost:443"), 101U);
    EXPECT_EQ(from("http://localhost:8000"), 403U);
    EXPECT_EQ(from("http://evil.example"), 403U);
    EXPECT_EQ(from("http://localhost.evil.example"), 403U);
    EXPECT_EQ(from("null"), 403U);
    EXPECT_EQ(from("http://"), 403U);
    EXPECT_EQ(from("localhost"), 403U);
    options.origins = {"https://app.example"};
    EXPECT_EQ(from("https://app.example"), 101U);
    EXPECT_EQ(from("http://app.example"), 403U);
    EXPECT_EQ(from("http://localhost"), 101U);
    options.origins = {"*"};
    EXPECT_EQ(from("null"), 101U);
}

TEST_F(Handshake, OfHttp10IsIgnored) {
    router.get("/", websocket([](WebSocket) -> Task<> { co_return; }));
    auto exchange = probe.open("GET", "/");
    Probe::Answer answer = exchange.answer();
    EXPECT_EQ(answer.status, 426U);
}

TEST_F(Handshake, MayHaveContentBeforeIt) {
    router.get("/", websocket([](WebSocket socket) -> Task<> {
                   while (const auto message = co_await socket.receive())
                       co_await socket.send(*message);
               }));
    Probe::Fields fields = frames::opening();
    fields.emplace_back("Content-Length", "4");
    auto exchange = probe.open("GET", "/", fields);
    EXPECT_EQ(exchange.answer().status, 0U) << "the content comes first";
    exchange.send("body" + frames::text("hello"));
    EXPECT_EQ(exchange.answer().status, 101U);
    EXPECT_EQ(frames::shown(exchange.answer().content), "text:hello");
}

}  // namespace
}  // namespace weir::web
