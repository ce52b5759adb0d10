// Allocations of compression that fail: the client gets the content, compressed or as it is.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "compress/stream/encoding_task.h"
#include "faults/failing_new.h"
#include "unit/site/request_fixture.h"
#include "weir/compress/compress.h"
#include "weir/compress/permessage_deflate.h"
#include "weir/web/probe_socket.h"
#include "weir/web/router.h"

namespace weir::compress {
namespace {

using tests::FailingNew;

struct Page final : http::Handler {
    http::Reply handle(const http::Request&) override {
        http::Response response;
        response.prepared_fields("ETag: \"v1\"\r\nContent-Type: text/html\r\n");
        response.content_view(content);
        return response;
    }
    std::string content = std::string(4'000, 'x');
};

TEST(CompressMemory, ThatIsMissingLeavesTheContent) {
    FailingNew::spare_this_thread();
    const site::TestRequest request{"GET /", {"Accept-Encoding: gzip"}};
    bool some_fail = true;
    for (int nth = 1; some_fail; ++nth) {
        Page page;
        const auto compressor = around(page, {.tags_are_unique = true});
        ASSERT_TRUE(compressor);
        FailingNew::fail(nth);
        http::Reply reply =
            FailingNew::strike([&] { return (*compressor)->handle(request.get()); });
        some_fail = FailingNew::failed() > 0;
        FailingNew::clear();
        const auto answer = site::read_reply(std::move(reply));
        EXPECT_EQ(answer.status, 200u);
        const bool is_compressed = answer.field("Content-Encoding") == "gzip";
        EXPECT_EQ(answer.field("ETag"), is_compressed ? "\"v1-gzip\"" : "\"v1\"") << nth;
        EXPECT_EQ(answer.body == page.content, !is_compressed) << nth;
        EXPECT_TRUE(is_compressed || some_fail) << nth;
        // And as before, once there is memory.
        const auto next = site::read_reply((*compressor)->handle(request.get()));
        EXPECT_EQ(next.field("Content-Encoding"), "gzip") << nth;
        EXPECT_LT(next.body.size(), 1000u);
    }
}

/// It begins as a stream, or is sent as it is.
TEST(CompressMemory, ThatIsMissingLeavesLongContent) {
    FailingNew::spare_this_thread();
    const site::TestRequest request{"GET /", {"Accept-Encoding: gzip"}};
    bool some_fail = true;
    for (int nth = 1; some_fail; ++nth) {
        Page page;
        page.content.assign(20'000, 'x');
        const auto compressor = around(page, {.tags_are_unique = true});
        ASSERT_TRUE(compressor);
        FailingNew::fail(nth);
        http::Reply reply =
            FailingNew::strike([&] { return (*compressor)->handle(request.get()); });
        some_fail = FailingNew::failed() > 0;
        FailingNew::clear();
        const auto& response = std::get<http::Response>(reply);
        const bool is_stream =
            std::holds_alternative<std::unique_ptr<http::Source>>(response.content());
        EXPECT_EQ(response.prepared_fields().contains("Content-Encoding: gzip"), is_stream) << nth;
        EXPECT_TRUE(is_stream || some_fail) << nth;
        if (const auto* const left = std::get_if<std::string_view>(&response.content())) {
            EXPECT_EQ(*left, page.content) << nth;
        }
    }
}

/// What comes after the head needs none but for the cache.
TEST(CompressMemory, ThatIsMissingLeavesAStreamWhole) {
    FailingNew::spare_this_thread();
    const std::string content(200'000, 'x');
    const auto pool = std::make_shared<EncoderPool>(std::size_t{1} << 20u);
    const auto cache = std::make_shared<BodyCache>(std::size_t{1} << 20u);
    const auto codings = codings_from({"gzip"}, 0);
    bool some_fail = true;
    for (int nth = 1; some_fail; ++nth) {
        auto lease = pool->lease(codings->front(), codings->front().for_streams, 0);
        Collecting collecting{cache, std::to_string(nth), content.size(), lease->share()};
        EncodingTask task{std::move(*lease), http::Waker{nullptr, {}}, std::move(collecting)};
        task.read(std::string_view{content}, nullptr);
        FailingNew::fail(nth);
        while (!task.has_ended()) {
            FailingNew::strike([&] { task.work(); });
            std::array<char, 1000> room;
            task.take(room);
        }
        some_fail = FailingNew::failed() > 0;
        FailingNew::clear();
        EXPECT_FALSE(task.has_failed());
        EXPECT_TRUE(some_fail || cache->find(std::to_string(nth)) != nullptr) << nth;
    }
}

/// A message goes as it is, or the socket ends.
TEST(CompressMemory, ThatIsMissingCostsOneWebSocketAtMost) {
    FailingNew::spare_this_thread();
    const std::string message(4'000, 'x');
    bool some_fail = true;
    for (int nth = 1; some_fail; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        const auto deflate = web::permessage_deflate();
        web::Router router;
        const auto echo = [](web::WebSocket socket) -> web::Task<> {
            while (const auto received = co_await socket.receive()) co_await socket.send(*received);
        };
        router.get("/", web::websocket(echo, {.compression = deflate}));
        {
            web::Probe probe{router};
            FailingNew::fail(nth);
            try {
                FailingNew::strike([&] {
                    web::ProbeSocket peer{probe, "/", {}, deflate};
                    peer.send(message);
                    return peer.has_next();
                });
            } catch (const std::bad_alloc&) {
            } catch (const std::runtime_error&) {  // refused
            }
            some_fail = FailingNew::failed() > 0;
            FailingNew::clear();
        }
        web::Probe after{router};
        web::ProbeSocket peer{after, "/", {}, deflate};
        peer.send(message);
        EXPECT_EQ(peer.receive(), message);
        EXPECT_LT(peer.exchange().answer().content.size(), 100U) << "compressed";
    }
}

}  // namespace
}  // namespace weir::compress
