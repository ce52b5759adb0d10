// Allocations of compression that fail: the client gets the content, compressed or as it is.

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

#include "faults/failing_new.h"
#include "unit/site/request_fixture.h"
#include "weir/compress/compress.h"

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
    std::string content = std::string(20'000, 'x');
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

}  // namespace
}  // namespace weir::compress
