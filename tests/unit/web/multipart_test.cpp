#include "weir/web/multipart.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/temporary_path.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

const std::string form_type = "multipart/form-data; boundary=\"x-y\"";
const std::string content =
    "preamble\r\n--x-y\r\n"
    "Content-Disposition: form-data; name=\"a\"\r\n\r\n"
    "one\r\n--x-\r\n"
    "\r\n--x-y  \r\n"
    "content-disposition: form-data; filename=\"a%22b\\c.txt\"; name=file\r\n"
    "Content-Type: text/css; charset=utf-8\r\n\r\n"
    "\r\n--x-y\r\n"
    "Content-Disposition: form-data; name=\"\"\r\n\r\n"
    "--x-y\r\n--x-y--\r\nepilogue";
const std::string read =
    "[a||text/plain]one\r\n--x-\r\n[file|a\"b\\c.txt|text/css; charset=utf-8]"
    "[||text/plain]--x-y";

struct Multiparts : ::testing::Test {
    MultipartLimits limits{};
    std::string path = weir::tests::temporary_path("weir_web_upload");
    Workers workers{1};
    Router router;
    Probe probe{router};

    Multiparts() {
        std::remove(path.c_str());
        router.post("/", [this](Call call) -> Task<Response> {
            std::string all;
            Multipart form{call, limits};
            while (const auto part = co_await form.next()) {
                all += "[" + part->name + "|" + part->file_name + "|" + part->media_type + "]";
                while (const auto bytes = co_await form.piece()) all += *bytes;
            }
            co_return web::text(all);
        });
        router.post("/skip", [](Call call) -> Task<Response> {
            std::string names;
            Multipart form{call};
            while (const auto part = co_await form.next()) names += part->name + ",";
            co_return web::text(names);
        });
        router.post("/text", [](Call call) -> Task<Response> {
            Multipart form{call};
            co_await form.next();
            co_return web::text(co_await form.text(5));
        });
        router.post("/save", [this](Call call) -> Task<Response> {
            Multipart form{call};
            co_await form.next();
            co_return web::text(std::to_string(co_await form.save(workers, path)));
        });
    }
    Probe::Answer post(const std::string& sent, const std::string& target = "/",
                       const std::string& type = form_type) {
        return probe.post(target, sent, type);
    }
    static std::string part(const std::string& data) {
        return "--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\n" + data + "\r\n--x-y--";
    }
};

TEST_F(Multiparts, AreReadWhole) {
    EXPECT_EQ(post(content).content, read);
    EXPECT_EQ(post("--x-y--").content, "");
}

TEST_F(Multiparts, AreReadAtEverySplit) {
    for (std::size_t split = 1; split < content.size(); ++split) {
        auto exchange = probe.open(
            "POST", "/",
            {{"Content-Type", form_type}, {"Content-Length", std::to_string(content.size())}});
        exchange.send(content.substr(0, split));
        exchange.send(content.substr(split));
        ASSERT_EQ(exchange.wait().content, read) << split;
    }
    auto bytewise = probe.open(
        "POST", "/",
        {{"Content-Type", form_type}, {"Content-Length", std::to_string(content.size())}});
    for (const char byte : content) bytewise.send({&byte, 1});
    EXPECT_EQ(bytewise.wait().content, read);
}

/// As other servers read them (RFC 2046 5.1.1).
TEST_F(Multiparts, HaveDataThatBeginsAsABoundaryDoes) {
    for (const std::string& data :
         {std::string{"a\r\n--x-yz no delimiter\r\nb"}, std::string{"a\r\n--x-y-\r\n"},
          std::string{"\r\n--x-y \tb"}, "\r\n--x-y" + std::string(101, ' ') + "\r\n",
          std::string{"\r\n--x-y\n\r\n--x-y\r\r\n--x-y \r"}}) {
        EXPECT_EQ(post(part(data)).content, "[a||text/plain]" + data);
        EXPECT_EQ(post("--x-yz\r\n" + part(data), "/save").content, std::to_string(data.size()));
        std::remove(path.c_str());
    }
}

TEST_F(Multiparts, PartsMayBeSkipped) { EXPECT_EQ(post(content, "/skip").content, "a,file,,"); }

TEST_F(Multiparts, ThatAreMalformedAre400) {
    for (const char* const sent :
         {"", "text", "--x-y", "--x-y\r\n", "--x-yz\r\n", "--x-y\r\n\r\n\r\n--x-y--",
          "--x-y\r\nContent-Disposition: form-data\r\n\r\na\r\n--x-y--",
          "--x-y\r\nContent-Disposition: attachment; name=a\r\n\r\na\r\n--x-y--",
          "--x-y\r\nContent-Disposition: form-data; name=\"a\r\n\r\na\r\n--x-y--",
          "--x-y\r\nno colon\r\n\r\na\r\n--x-y--",
          "--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--x-y"})
        EXPECT_EQ(post(sent).status, 400u) << sent;
}

TEST_F(Multiparts, OfOtherTypesAre415) {
    for (const char* const type : {"text/plain", "multipart/form-data",
                                   "multipart/mixed; boundary=a", "multipart/form-data; boundary="})
        EXPECT_EQ(post(content, "/", type).status, 415u) << type;
}

TEST_F(Multiparts, HaveLimits) {
    limits.parts_max = 2;
    EXPECT_EQ(post(content).status, 413u);
    limits = {.part_bytes_max = 5};
    EXPECT_EQ(post(part("12345")).status, 200u);
    EXPECT_EQ(post(part("123456")).status, 413u);
    limits = {.part_head_bytes_max = 20};
    EXPECT_EQ(post(part("1")).status, 413u);
    limits = {.bytes_max = 10};
    EXPECT_EQ(post(part("1")).status, 413u);
    EXPECT_EQ(post(part("12345"), "/text").content, "12345");
    EXPECT_EQ(post(part("123456"), "/text").status, 413u);
}

TEST_F(Multiparts, AreSavedInFiles) {
    const std::string data(200'000, 'x');
    EXPECT_EQ(post(part(data), "/save").content, "200000");
    std::ifstream saved{path};
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>{saved}, {}}), data);
    EXPECT_EQ(post(part("again"), "/save").status, 500u) << "never over another file";
    std::remove(path.c_str());
    EXPECT_EQ(post(part("x") + "", "/save").content, "1");
    std::remove(path.c_str());
    const std::string cut = "--x-y\r\nContent-Disposition: form-data; name=a\r\n\r\nabc";
    for (const std::string behind : {"", "\r\n--x-y", "\r\n--x-y-", "\r\n--x-yz\r\n"}) {
        EXPECT_EQ(post(cut + behind, "/save").status, 400u) << behind;
        EXPECT_FALSE(std::filesystem::exists(path)) << "what is incomplete is removed";
    }
}

}  // namespace
}  // namespace weir::web
