#include <ctime>

#include "http/answer/date.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteValidators : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("a.txt", "0123456789");
        tree.set_modified("a.txt", 784'111'777);
    }
};

constexpr const char* modified = "Sun, 06 Nov 1994 08:49:37 GMT";

TEST_F(SiteValidators, LastModifiedIsTheFiles) {
    EXPECT_EQ(ask(*open(), "GET /a.txt").field("Last-Modified"), modified);
}

TEST_F(SiteValidators, LastModifiedIsNeverInTheFuture) {
    tree.set_modified("a.txt", std::time(nullptr) + 3600);
    const auto site = open();
    const auto answer = ask(*site, "GET /a.txt");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_FALSE(answer.field("Last-Modified"));
    EXPECT_TRUE(answer.field("ETag"));
}

TEST_F(SiteValidators, ATimeThatABuildSetsIsNoDate) {
    const auto site = open();
    for (const std::int64_t seconds : {-1, 0, 1}) {
        tree.set_modified("a.txt", seconds);
        const auto answer =
            ask_until(*site, "GET /a.txt", [](const auto& a) { return !a.field("Last-Modified"); });
        EXPECT_TRUE(answer.field("ETag")->starts_with('"'));
        const auto status = [&](const std::string& field) {
            return ask(*site, "GET /a.txt", {field, "Range: bytes=0-1"}).status;
        };
        EXPECT_EQ(status("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"), 206u);
        EXPECT_EQ(status("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"), 206u);
        EXPECT_EQ(status("If-Range: Thu, 01 Jan 1970 00:00:01 GMT"), 200u);
    }
    tree.set_modified("a.txt", 2);
    ask_until(*site, "GET /a.txt", [](const auto& answer) {
        return answer.field("Last-Modified") == "Thu, 01 Jan 1970 00:00:02 GMT";
    });
}

TEST_F(SiteValidators, TheTagChangesWithinTheSameSecond) {
    const auto site = open();
    const auto before = settled(*site, "GET /a.txt");
    tree.write("a.txt", "abcdefghij");  // same length, same inode
    tree.set_modified("a.txt", 784'111'777);
    const auto after = ask_until(*site, "GET /a.txt",
                                 [](const auto& answer) { return answer.body == "abcdefghij"; });
    EXPECT_NE(after.field("ETag"), before.field("ETag"));
    EXPECT_EQ(after.field("Last-Modified"), before.field("Last-Modified"));
}

TEST_F(SiteValidators, TheTagTellsRewritesWithinOneTickApart) {
    // Without watches and without a cache, each answer checks the file itself.
    const auto site = open({.cache = {.entries_max = 0, .watches_max = 0}});
    std::optional<std::string> last;
    for (int i = 0; i < 200; ++i) {
        tree.write("a.txt", std::string(10, static_cast<char>('a' + i % 26)));
        const auto answer = ask(*site, "GET /a.txt");
        EXPECT_NE(answer.field("ETag"), last);
        last = answer.field("ETag");
    }
}

TEST_F(SiteValidators, WhatMayChangeWithoutATraceIsNotKept) {
    const auto site = open();
    const auto changed = [&] {
        const auto time = tree.status("a.txt").st_ctim;
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    };
    const auto now = [] {
        timespec time;
        ::clock_gettime(CLOCK_REALTIME, &time);
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    };
    // Repeat: on a busy machine, the file may have settled before the site looked at it.
    for (const auto end = now() + 20'000'000'000; now() < end;) {
        tree.write("a.txt", "just now");
        const auto one = ask(*site, "GET /a.txt").field("ETag");
        const auto other = ask(*site, "GET /a.txt").field("ETag");
        if (now() - changed() > 20'000'000) continue;
        EXPECT_NE(one, other) << "each tag stands for one look";
        return;
    }
    FAIL() << "never fast enough";
}

TEST_F(SiteValidators, NotModified) {
    const auto site =
        open({.fields = {{.glob = "*.txt", .name = "Cache-Control", .value = "max-age=60"}}});
    const auto whole = settled(*site, "GET /a.txt");
    const auto answer = ask(*site, "GET /a.txt", {"If-None-Match: " + *whole.field("ETag")});
    EXPECT_EQ(answer.status, 304u);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(answer.field("ETag"), whole.field("ETag"));
    EXPECT_EQ(answer.field("Cache-Control"), "max-age=60");
    EXPECT_FALSE(answer.field("Content-Type"));
    EXPECT_EQ(ask(*site, "HEAD /a.txt", {"If-None-Match: *"}).status, 304u);
    EXPECT_EQ(ask(*site, "GET /a.txt", {std::string{"If-Modified-Since: "} + modified}).status,
              304u);
}

TEST_F(SiteValidators, PreconditionFailed) {
    const auto site = open();
    const auto answer = ask(*site, "GET /a.txt", {"If-Match: \"other\"", "If-None-Match: *"});
    EXPECT_EQ(answer.status, 412u) << "412 before 304";
}

TEST_F(SiteValidators, NotModifiedComesBeforeARange) {
    const auto answer = ask(*open(), "GET /a.txt", {"If-None-Match: *", "Range: bytes=0-1"});
    EXPECT_EQ(answer.status, 304u);
}

TEST_F(SiteValidators, SingleRange) {
    const auto site = open();
    const auto answer = ask(*site, "GET /a.txt", {"Range: bytes=2-4"});
    EXPECT_EQ(answer.status, 206u);
    EXPECT_EQ(answer.body, "234");
    EXPECT_EQ(answer.field("Content-Range"), "bytes 2-4/10");
    EXPECT_EQ(answer.field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_TRUE(answer.field("ETag"));
    EXPECT_EQ(ask(*site, "GET /a.txt", {"Range: bytes=-3"}).body, "789");
    EXPECT_EQ(ask(*site, "GET /a.txt", {"Range: bytes=8-"}).body, "89");
}

TEST_F(SiteValidators, SeveralRanges) {
    const auto answer = ask(*open(), "GET /a.txt", {"Range: bytes=0-0,-1"});
    EXPECT_EQ(answer.status, 206u);
    EXPECT_TRUE(answer.field("Content-Type")->starts_with("multipart/byteranges; boundary="));
    EXPECT_FALSE(answer.field("Content-Range"));
    EXPECT_TRUE(answer.announced_whole);
    EXPECT_NE(answer.body.find("Content-Range: bytes 0-0/10\r\n\r\n0\r\n"), std::string::npos);
    EXPECT_NE(answer.body.find("Content-Range: bytes 9-9/10\r\n\r\n9\r\n"), std::string::npos);
}

TEST_F(SiteValidators, UnsatisfiableRanges) {
    for (const auto* const range : {"bytes=10-", "bytes=-0", "bytes=18446744073709551616-"}) {
        const auto answer = ask(*open(), "GET /a.txt", {std::string{"Range: "} + range});
        EXPECT_EQ(answer.status, 416u) << range;
        EXPECT_EQ(answer.field("Content-Range"), "bytes */10") << range;
    }
}

TEST_F(SiteValidators, RangesThatAreNotWorthItGiveTheWhole) {
    const auto site = open();
    for (const auto* const range : {"bytes=0-5,3-9", "bytes=x", "lines=1-2", "bytes=9-0"})
        EXPECT_EQ(ask(*site, "GET /a.txt", {std::string{"Range: "} + range}).status, 200u) << range;
    EXPECT_EQ(ask(*site, "GET /a.txt", {"Range: bytes=0-1", "Range: bytes=3-4"}).status, 200u);
}

TEST_F(SiteValidators, RangeOnHeadIsIgnored) {
    const auto answer = ask(*open(), "HEAD /a.txt", {"Range: bytes=0-1"});
    EXPECT_EQ(answer.status, 200u);
    EXPECT_FALSE(answer.field("Content-Range"));
}

TEST_F(SiteValidators, IfRangeIsExact) {
    const auto site = open();
    const std::string tag = *settled(*site, "GET /a.txt").field("ETag");
    const auto status = [&](const std::string& condition) {
        return ask(*site, "GET /a.txt", {"Range: bytes=0-1", "If-Range: " + condition}).status;
    };
    EXPECT_EQ(status(tag), 206u);
    EXPECT_EQ(status("W/" + tag), 200u);
    EXPECT_EQ(status("\"other\""), 200u);
    EXPECT_EQ(status(modified), 206u);
    EXPECT_EQ(status("Sun, 06 Nov 1994 08:49:38 GMT"), 200u);
    EXPECT_EQ(status("Sunday, 06-Nov-94 08:49:37 GMT"), 206u);
}

TEST_F(SiteValidators, AnUnsatisfiableRangeOfAnOldVersionGivesTheWhole) {
    const auto answer =
        ask(*open(), "GET /a.txt", {"Range: bytes=100-", "If-Range: \"an older one\""});
    EXPECT_EQ(answer.status, 200u);
}

TEST_F(SiteValidators, AnEmptyFileHasNoRange) {
    tree.write("empty.txt", "");
    const auto answer = ask(*open(), "GET /empty.txt", {"Range: bytes=0-"});
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.body, "");
}

TEST_F(SiteValidators, LargeFilesAreSentFromTheirDescriptor) {
    std::string content;
    for (int i = 0; i < 50'000; ++i) content += std::to_string(i);
    tree.write("large.bin", content);
    const auto site = open();
    const auto whole = ask(*site, "GET /large.bin");
    EXPECT_TRUE(whole.from_file);
    EXPECT_EQ(whole.body, content);
    EXPECT_EQ(ask(*site, "GET /large.bin", {"Range: bytes=1000-1999"}).body,
              content.substr(1000, 1000));
    const auto parts = ask(*site, "GET /large.bin", {"Range: bytes=10-19,150000-150009"});
    EXPECT_EQ(parts.status, 206u);
    EXPECT_TRUE(parts.from_file && parts.announced_whole);
    EXPECT_NE(parts.body.find("\r\n\r\n" + content.substr(150'000, 10) + "\r\n"),
              std::string::npos);
}

}  // namespace
}  // namespace weir::site
