// web::compression(): the answers and streams of a router.

#include <stdexcept>

#include "unit/compress/compress_fixture.h"
#include "weir/web/events.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"

namespace weir::compress {
namespace {

using tests::readable_part;

struct OfARouter : ::testing::Test {
    OfARouter() {
        router.group("/pages").use(web::compression());
        router.get("/pages/text", [this] { return web::text(content); });
        router.get("/pages/later",
                   [this](web::Call) -> web::Task<web::Response> { co_return web::text(content); });
        router.get("/pages/callback", [this](web::Call call) { call.respond(web::text(content)); });
        router.get("/pages/events", [this](const web::Call& call) {
            return web::events(call, [this](web::Events made) { stream.emplace(std::move(made)); });
        });
        router.put("/pages/text", [](const web::Call& call) {
            return web::text(std::string{*call.field("If-Match")});
        });
        router.get("/other", [this] { return web::text(content); });
    }

    const std::string content = text_of(4000);
    web::Router router;
    std::optional<web::Events> stream;
    web::Probe probe{router};
};

TEST_F(OfARouter, AnswersUnderItsPrefixAreCompressed) {
    for (const std::string& coding : available())
        for (const char* const target : {"/pages/text", "/pages/later", "/pages/callback"}) {
            const Answer answer = probe.get(target, {{"Accept-Encoding", coding}});
            EXPECT_EQ(answer.field("Content-Encoding"), coding) << target;
            EXPECT_EQ(tests::decompressed(coding, answer.content), content) << target;
            EXPECT_EQ(probe.get(target).content, content);
            EXPECT_EQ(probe.get(target).field("Vary"), "Accept-Encoding");
        }
    EXPECT_EQ(probe.get("/other", {{"Accept-Encoding", "gzip"}}).content, content);
}

/// A stream of known size is over with its last byte, and is not asked for more.
TEST_F(OfARouter, StreamsOfKnownSizeAreWhole) {
    for (const std::size_t piece : {100u, 4000u}) {
        router.get("/pages/sized" + std::to_string(piece), [=, this](const web::Call& call) {
            return web::stream(call, "text/plain",
                               [=, this](web::Stream out) -> web::Task<> {
                                   for (std::size_t at = 0; at < content.size(); at += piece) {
                                       std::string next = content.substr(at, piece);
                                       co_await out.write(std::move(next));
                                   }
                               },
                               {.size = content.size()});
        });
        for (const std::string& coding : available()) {
            const auto target = "/pages/sized" + std::to_string(piece);
            const Answer answer = probe.get(target, {{"Accept-Encoding", coding}});
            EXPECT_TRUE(answer.is_complete) << coding << piece;
            EXPECT_EQ(tests::decompressed(coding, answer.content), content) << coding << piece;
        }
    }
}

TEST_F(OfARouter, EventsEndWhenTheServerStops) {
    for (const std::string& coding : available()) {
        auto exchange = probe.open("GET", "/pages/events", {{"Accept-Encoding", coding}});
        stream->send({.data = "one"}, [](bool) {});
        exchange.stop_server();
        const auto answer = exchange.wait();
        EXPECT_TRUE(answer.is_complete);
        EXPECT_EQ(tests::decompressed(coding, answer.content), "data: one\n\n");
        bool was_taken = true;
        stream->send({.data = "two"}, [&](bool taken) { was_taken = taken; });
        EXPECT_FALSE(was_taken);
        stream.reset();
    }
}

TEST_F(OfARouter, EachEventIsFlushed) {
    for (const std::string& coding : available()) {
        auto exchange = probe.open("GET", "/pages/events", {{"Accept-Encoding", coding}});
        EXPECT_EQ(exchange.answer().field("Content-Encoding"), coding);
        std::string written;
        for (const char* const text : {"one", "two", "three"}) {
            bool was_taken = false;
            stream->send({.data = text}, [&](bool taken) { was_taken = taken; });
            written.append("data: ").append(text).append("\n\n");
            EXPECT_EQ(readable_part(coding, exchange.answer().content), written);
            exchange.answer();
            EXPECT_TRUE(was_taken) << "the next one may come";
        }
        stream->end();
        EXPECT_TRUE(exchange.wait().is_complete);
    }
}

TEST_F(OfARouter, HandlersFindTheirTagsInIfMatch) {
    EXPECT_EQ(probe.ask("PUT", "/pages/text", {{"If-Match", "\"v1-gzip\""}}, "").content,
              "\"v1\", \"v1-gzip\"");
    EXPECT_EQ(probe.ask("PUT", "/pages/text", {{"If-Match", "\"v1\""}}, "").content, "\"v1\"");
}

TEST_F(OfARouter, WrongOptionsAreExceptions) {
    EXPECT_THROW(web::compression({.codings = {"lzma"}}), std::invalid_argument);
    EXPECT_THROW(web::compression({.level = 10}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::compress
