#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "uploading.h"

namespace weir::upload {
namespace {

using Puts = Uploading;

TEST_F(Puts, MakeFiles) {
    tree.directory("a");
    const auto answer = put("/a/new%20one.txt", "text");
    EXPECT_EQ(answer.status, 201u);
    EXPECT_EQ(answer.field("Location"), "./new%20one.txt");
    EXPECT_EQ(content("a/new one.txt"), "text");
    EXPECT_EQ(put("/empty", "").status, 201u);
    EXPECT_EQ(content("empty"), "");
    const std::string large(1'000'000, 'x');
    EXPECT_EQ(put("/large", large).status, 201u);
    EXPECT_EQ(content("large"), large);
}

TEST_F(Puts, MakeNothingThatCouldBeExecuted) {
    const mode_t before = ::umask(0);
    EXPECT_EQ(put("/script", "#!/bin/sh").status, 201u);
    ::umask(before);
    EXPECT_EQ(tree.status("script").st_mode & 07777u, 0644u);
}

TEST_F(Puts, ReplaceOnlyIfTheyMay) {
    tree.write("a", "old");
    EXPECT_EQ(put("/a", "new").status, 409u);
    EXPECT_EQ(content("a"), "old");
    uploads.overwrites = true;
    EXPECT_EQ(put("/a", "new").status, 204u);
    EXPECT_EQ(content("a"), "new");
    EXPECT_EQ(names(), 1);
}

TEST_F(Puts, ReplaceNoFolderAndNoLink) {
    site::TemporaryTree outside;
    outside.write("x", "outside");
    tree.directory("folder");
    tree.link("link", outside.at("x"));
    tree.link("away", outside.at(""));
    uploads.overwrites = true;
    for (const char* const target : {"/folder", "/link"})
        EXPECT_EQ(put(target, "new").status, 409u) << target;
    for (const char* const target : {"/away/y", "/none/y", "/link/y"})
        EXPECT_EQ(put(target, "new").status, 404u) << target;
    EXPECT_EQ(names(), 3);
    EXPECT_FALSE(std::filesystem::exists(outside.at("y")));
}

TEST_F(Puts, TakeNoPlaceOfAFileByItsCompressedForm) {
    tree.write("app.js", "x");
    tree.directory("folder");
    for (const char* const target : {"/app.js.gz", "/app.js.br", "/app.js.zst"})
        EXPECT_EQ(put(target, "other").status, 409u) << target;
    EXPECT_EQ(put("/other.js.gz", "x").status, 201u);
    EXPECT_EQ(put("/folder.gz", "x").status, 201u);
    options.precompressed = false;
    EXPECT_EQ(put("/app.js.br", "x").status, 201u);
    options.precompressed = true;
    uploads.overwrites = true;
    EXPECT_EQ(put("/app.js.gz", "x").status, 201u);
}

TEST_F(Puts, NamesAreChecked) {
    options.hidden = {"*.bak", "/kept"};
    options.withheld = {tree.at("access.log").string()};
    tree.directory("kept");
    tree.directory(".well-known/acme-challenge");
    uploads.overwrites = true;
    const std::string long_name(256, 'n');
    for (const std::string& target :
         {std::string{"/a%01b"}, std::string{"/a%7f"}, std::string{"/a%0a"},
          std::string{"/%c2%9b1m"}, std::string{"/%ff"}, "/" + long_name})
        EXPECT_EQ(put(target, "x").status, 400u) << target;
    for (const char* const target : {"/.env", "/a.bak", "/A.BAK", "/kept/x", "/access.log",
                                     "/access.log.1", "/.well-known/acme-challenge/x"})
        EXPECT_EQ(put(target, "x").status, 403u) << target;
    EXPECT_EQ(names(), 3);
    EXPECT_EQ(put("/" + long_name.substr(1), "x").status, 201u);
    EXPECT_EQ(put("/%2e%2e/over", "x").status, 405u);
    EXPECT_EQ(put("/%c3%9b", "x").status, 201u);
    options.dotfiles = true;
    EXPECT_EQ(put("/.env", "x").status, 201u);
    EXPECT_EQ(put("/.weir-upload-x", "not counted").status, 403u);
}

TEST_F(Puts, AreTakenInTheirFoldersAlone) {
    tree.directory("in/deeper");
    tree.directory("inner");
    uploads.folders = {"in"};
    EXPECT_EQ(put("/in/a", "x").status, 201u);
    EXPECT_EQ(put("/in/deeper/a", "x").status, 201u);
    for (const char* const target : {"/a", "/inner/a", "/in", "/in/../a"}) {
        const auto answer = put(target, "x");
        EXPECT_EQ(answer.status, 405u) << target;
        EXPECT_EQ(answer.field("Allow"), "GET, HEAD, OPTIONS");
    }
    EXPECT_EQ(names(), 5);
}

TEST_F(Puts, HaveConditions) {
    tree.write("a", "old");
    tree.set_modified("a", 784'111'777);
    uploads.overwrites = true;
    const std::string tag{probe().get("/a").field("ETag")};
    ASSERT_TRUE(tag.starts_with('"'));
    EXPECT_EQ(put("/a", "x", {{"If-None-Match", "*"}}).status, 412u);
    EXPECT_EQ(put("/a", "x", {{"If-Match", "\"other\""}}).status, 412u);
    EXPECT_EQ(put("/a", "x", {{"If-Match", "W/" + tag}}).status, 412u);
    EXPECT_EQ(put("/a", "x", {{"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT"}}).status,
              412u);
    EXPECT_EQ(put("/none", "x", {{"If-Match", "*"}}).status, 412u);
    EXPECT_EQ(content("a"), "old");
    EXPECT_EQ(put("/a", "new", {{"If-Match", tag}}).status, 204u);
    EXPECT_EQ(put("/a", "x", {{"If-Match", tag}}).status, 412u);
    EXPECT_EQ(put("/b", "x", {{"If-None-Match", "*"}}).status, 201u);
    EXPECT_EQ(content("a"), "new");
}

TEST_F(Puts, AreLimited) {
    uploads.file_bytes_max = 4;
    EXPECT_EQ(put("/a", "12345").status, 413u);
    const auto chunked =
        probe().ask("PUT", "/a", {{"Transfer-Encoding", "chunked"}}, "5\r\n12345\r\n0\r\n\r\n");
    EXPECT_EQ(chunked.status, 413u);
    EXPECT_EQ(names(), 0);
    EXPECT_EQ(put("/a", "1234").status, 201u);
}

TEST_F(Puts, StayBelowTheQuota) {
    tree.write("in/a", "123");
    tree.write("other", "not counted");
    uploads.folders = {"in"};
    uploads.quota_bytes = 5;
    uploads.overwrites = true;
    EXPECT_EQ(put("/in/b", "123").status, 507u);
    EXPECT_EQ(put("/in/b", "12").status, 201u);
    EXPECT_EQ(put("/in/c", "1").status, 507u);
    EXPECT_EQ(put("/in/a", "456").status, 204u);
    EXPECT_EQ(put("/in/a", "4567").status, 507u);
    EXPECT_EQ(content("in/a"), "456");
}

TEST_F(Puts, CountAFolderInAnotherOnce) {
    tree.write("in/a", "123");
    uploads.folders = {"", "in"};
    uploads.quota_bytes = 5;
    EXPECT_EQ(put("/b", "12").status, 201u);
    EXPECT_EQ(put("/in/c", "1").status, 507u);
}

TEST_F(Puts, OfAPartOrOfCompressedContentAreRefused) {
    EXPECT_EQ(put("/a", "x", {{"Content-Range", "bytes 0-0/2"}}).status, 400u);
    EXPECT_EQ(put("/a", "x", {{"Content-Encoding", "gzip"}}).status, 415u);
    EXPECT_EQ(names(), 0);
}

TEST_F(Puts, OfPagesOfOtherOriginsAreRefused) {
    for (const web::Probe::Fields& fields : {web::Probe::Fields{{"Sec-Fetch-Site", "cross-site"}},
                                             {{"Sec-Fetch-Site", "same-site"}},
                                             {{"Origin", "http://evil.example"}},
                                             {{"Origin", "null"}}})
        EXPECT_EQ(put("/a", "x", fields).status, 403u) << fields.front().second;
    EXPECT_EQ(names(), 0);
    EXPECT_EQ(put("/a", "x", {{"Origin", "http://LOCALHOST"}}).status, 201u);
    EXPECT_EQ(put("/b", "x", {{"Sec-Fetch-Site", "same-origin"}, {"Origin", "http://x"}}).status,
              201u);
}

TEST_F(Puts, ThatBreakOffLeaveNothing) {
    auto exchange =
        probe().open("PUT", "/a", {{"Content-Length", "300000"}}, std::string(200'000, 'x'));
    EXPECT_EQ(exchange.answer().status, 0u);
    exchange.leave();
    EXPECT_EQ(put("/b", "x").status, 201u);  // the helper threads of the first have ended
    EXPECT_EQ(names(), 1);
}

/// Of the only file in the folder that is open to be written.
std::uintmax_t size_under_way(const std::filesystem::path& folder) {
    for (const auto& each : std::filesystem::directory_iterator{"/proc/self/fd"}) {
        std::error_code error;
        const auto target = std::filesystem::read_symlink(each.path(), error);
        const bool is_file = std::filesystem::is_regular_file(each.path(), error);
        if (is_file && target.string().starts_with(folder.string()))
            return std::filesystem::file_size(each.path(), error);
    }
    return 0;
}

TEST_F(Puts, MayTakeLongerThanAHandlerWhileBytesArrive) {
    constexpr std::size_t pieces = 6, piece_bytes = 300'000, buffered_max = 256 * 1024;
    static_assert(piece_bytes > buffered_max);  // so a part of each piece must have been written
    auto upload =
        probe().open("PUT", "/a", {{"Content-Length", std::to_string(pieces * piece_bytes)}}, "");
    const std::string piece(piece_bytes, 'x');
    for (std::size_t i = 1; i < pieces; ++i) {
        upload.send(piece);
        while (size_under_way(tree.at("")) + buffered_max < i * piece_bytes)
            ASSERT_EQ(upload.answer().status, 0u);
        current().advance(std::chrono::seconds{25});
    }
    upload.send(piece);
    current().advance(std::chrono::seconds{25});  // the answer has its time from here
    ASSERT_EQ(upload.wait().status, 201u);
    EXPECT_EQ(content("a")->size(), pieces * piece_bytes);
}

TEST_F(Puts, EndWhenNothingArrives) {
    timeouts.handler = {};  // how long a helper thread takes is not the clock of the test
    auto upload = probe().open("PUT", "/a", {{"Content-Length", "2"}}, "x");
    while (upload.answer().status == 0) current().advance(std::chrono::seconds{10});
    EXPECT_EQ(upload.answer().status, 408u);
    EXPECT_EQ(put("/b", "x").status, 201u);  // the helper threads of the first have ended
    EXPECT_EQ(names(), 1);
}

TEST_F(Puts, AreAskedForAfterTheChecks) {
    tree.write("taken", "x");
    auto& all = probe();
    auto refused =
        all.open("PUT", "/taken", {{"Content-Length", "5"}, {"Expect", "100-continue"}}, "");
    EXPECT_EQ(refused.wait().status, 409u);
    auto taken = all.open("PUT", "/new", {{"Content-Length", "1"}, {"Expect", "100-continue"}}, "");
    taken.send("x");
    EXPECT_EQ(taken.wait().status, 201u);
}

TEST_F(Puts, AreOnlySoManyAtATime) {
    uploads.uploads_max = 1;
    auto& all = probe();
    auto first = all.open("PUT", "/a", {{"Content-Length", "2"}}, "x");
    const auto busy = all.ask("PUT", "/b", {}, "x");
    EXPECT_EQ(busy.status, 503u);
    EXPECT_EQ(busy.field("Retry-After"), "5");
    first.send("y");
    EXPECT_EQ(first.wait().status, 201u);
    EXPECT_EQ(all.ask("PUT", "/b", {}, "x").status, 201u);
}

TEST_F(Puts, AllowSaysWhatThereIs) {
    tree.directory("in");
    uploads.folders = {"in"};
    const auto allowed = [&](std::string_view method, std::string_view target) {
        const auto answer = probe().ask(method, target);
        std::string all;
        for (const auto& [name, value] : answer.fields)
            if (name == "Allow") all.append(all.empty() ? "" : ", ").append(value);
        return std::to_string(answer.status) + ' ' + all;
    };
    EXPECT_EQ(allowed("OPTIONS", "/in/a"), "204 GET, HEAD, OPTIONS, PUT");
    EXPECT_EQ(allowed("OPTIONS", "/in/"), "204 GET, HEAD, OPTIONS, POST");
    EXPECT_EQ(allowed("OPTIONS", "/a"), "204 GET, HEAD, OPTIONS");
    EXPECT_EQ(allowed("DELETE", "/in/a"), "405 GET, HEAD, OPTIONS, PUT");
    EXPECT_EQ(allowed("PUT", "/in/"), "405 GET, HEAD, OPTIONS, POST");
    EXPECT_EQ(allowed("POST", "/in/a"), "405 GET, HEAD, OPTIONS, PUT");
}

/// Answers 401 to all.
struct Closed final : http::Handler {
    http::Reply handle(const http::Request&) override {
        return http::error_response(http::Status::unauthorized);
    }
};

TEST_F(Puts, PassTheGuardThatReadersDoNotPass) {
    tree.write("a", "x");
    uploads.guard = [](http::Handler&) { return std::make_unique<Closed>(); };
    EXPECT_EQ(put("/b", "x").status, 401u);
    EXPECT_EQ(probe().get("/a").status, 200u);
    EXPECT_EQ(names(), 1);
    uploads.guard = [](http::Handler&) -> Guarded { return std::unexpected{"no users"}; };
    EXPECT_EQ(refusal(), "no users");
}

TEST_F(Puts, FoldersMustBeThere) {
    tree.directory("real");
    tree.directory(".drop");
    tree.link("link", tree.at("real"));
    for (const auto& [folder, why] : {std::pair{"none", "No such file or directory"},
                                      {"link", "no link may lead to it"},
                                      {".drop", "is hidden"}}) {
        uploads.folders = {folder};
        EXPECT_TRUE(refusal().contains(why)) << refusal();
    }
    uploads.folders = {"real"};
    EXPECT_EQ(refusal(), "");
    options.file = "x";
    tree.write("x", "x");
    EXPECT_EQ(refusal(), "a site of one file takes no others");
}

}  // namespace
}  // namespace weir::upload
