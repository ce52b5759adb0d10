#include <algorithm>
#include <atomic>
#include <fstream>

#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

/// Changes of files while the site runs, with inotify and without.
class SiteChanges : public SiteTest, public testing::WithParamInterface<bool> {
   protected:
    std::unique_ptr<Site> open_one() const {
        auto site = open({.cache = {.watches_max = GetParam() ? std::size_t{1000} : 0}});
        EXPECT_EQ(site->watching(), GetParam());
        return site;
    }
};
INSTANTIATE_TEST_SUITE_P(, SiteChanges, testing::Bool(), [](const auto& param) {
    return std::string{param.param ? "Watched" : "Revalidated"};
});

TEST_P(SiteChanges, RewrittenInPlace) {
    tree.write("a/b.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /a/b.txt");
    tree.write("a/b.txt", "two");
    expect_body(*site, "GET /a/b.txt", "two");
}

TEST_P(SiteChanges, Replaced) {
    tree.write("a/b.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /a/b.txt");
    tree.replace("a/b.txt", "two");
    expect_body(*site, "GET /a/b.txt", "two");
}

TEST_P(SiteChanges, DeletedAndMadeAgain) {
    tree.write("a/b.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /a/b.txt");
    tree.remove("a/b.txt");
    expect_status(*site, "GET /a/b.txt", 404);
    tree.write("a/b.txt", "two");
    expect_body(*site, "GET /a/b.txt", "two");
}

TEST_P(SiteChanges, TouchedOnly) {
    tree.write("b.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /b.txt");
    tree.set_modified("b.txt", 784'111'777);
    ask_until(*site, "GET /b.txt", [](const auto& answer) {
        return answer.field("Last-Modified") == "Sun, 06 Nov 1994 08:49:37 GMT";
    });
}

TEST_P(SiteChanges, TheDirectoryAboveIsReplaced) {
    tree.write("x/y/b.txt", "one");
    tree.write("new/y/b.txt", "two");
    const auto site = open_one();
    settled(*site, "GET /x/y/b.txt");
    std::filesystem::rename(tree.at("x"), tree.at("old"));
    std::filesystem::rename(tree.at("new"), tree.at("x"));
    expect_body(*site, "GET /x/y/b.txt", "two");
    settled(*site, "GET /x/y/b.txt");
    tree.write("x/y/b.txt", "three");
    expect_body(*site, "GET /x/y/b.txt", "three");
    settled(*site, "GET /old/y/b.txt");
    tree.write("old/y/b.txt", "four");
    expect_body(*site, "GET /old/y/b.txt", "four");
}

TEST_P(SiteChanges, TheDirectoryIsDeletedAndMadeAgain) {
    tree.write("x/y/b.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /x/y/b.txt");
    tree.remove("x");
    expect_status(*site, "GET /x/y/b.txt", 404);
    tree.write("x/y/b.txt", "two");
    expect_body(*site, "GET /x/y/b.txt", "two");
    settled(*site, "GET /x/y/b.txt");
    tree.write("x/y/b.txt", "three");
    expect_body(*site, "GET /x/y/b.txt", "three");
}

TEST_P(SiteChanges, WhatALinkLeadsToChanges) {
    tree.write("real/b.txt", "one");
    tree.link("link.txt", "real/b.txt");
    tree.link("dir", "real");
    const auto site = open_one();
    settled(*site, "GET /link.txt");
    settled(*site, "GET /dir/b.txt");
    tree.write("real/b.txt", "two");
    EXPECT_EQ(ask(*site, "GET /link.txt").body, "two") << "at once: it is looked at each time";
    EXPECT_EQ(ask(*site, "GET /dir/b.txt").body, "two");
}

TEST_P(SiteChanges, ALinkIsSetAnew) {
    tree.write("r1/index.html", "one");
    tree.write("r2/index.html", "two");
    tree.link("current", "r1");
    const auto site = open_one();
    settled(*site, "GET /current/");
    tree.link("next", "r2");
    std::filesystem::rename(tree.at("next"), tree.at("current"));
    expect_body(*site, "GET /current/", "two");
}

TEST_P(SiteChanges, UnderAnotherNameOfTheSameFile) {
    tree.write("b.txt", "one");
    const TemporaryTree outside;
    std::filesystem::create_hard_link(tree.at("b.txt"), outside.at("other"));
    const auto site = open_one();
    settled(*site, "GET /b.txt");
    outside.write("other", "two");
    EXPECT_EQ(ask(*site, "GET /b.txt").body, "two");
}

TEST_P(SiteChanges, TheErrorPageComesAndGoes) {
    const auto site = open_one();
    EXPECT_EQ(ask(*site, "GET /missing").status, 404u);
    tree.write("404.html", "own page");
    expect_body(*site, "GET /missing", "own page");
    settled(*site, "GET /404.html");
    tree.remove("404.html");
    ask_until(*site, "GET /missing", [](const auto& answer) { return answer.body != "own page"; });
}

TEST_P(SiteChanges, ALargeFileIsReplacedWhileItIsSent) {
    tree.write("large.bin", std::string(200'000, 'a'));
    const auto site = open_one();
    settled(*site, "GET /large.bin");
    const TestRequest request{"GET /large.bin"};
    auto reply = site->handle(request.get());  // under way
    tree.replace("large.bin", std::string(100, 'b'));
    expect_body(*site, "GET /large.bin", std::string(100, 'b'));
    EXPECT_EQ(read_reply(std::move(reply)).body, std::string(200'000, 'a'))
        << "the old file goes on, whole";
}

TEST_P(SiteChanges, ALargeFileIsCutWhileItIsSent) {
    tree.write("large.bin", std::string(200'000, 'a'));
    const auto site = open_one();
    settled(*site, "GET /large.bin");
    const TestRequest request{"GET /large.bin"};
    auto reply = site->handle(request.get());
    std::filesystem::resize_file(tree.at("large.bin"), 150'000);
    // The answer announced 200,000 bytes. The engine finds the end of the file early, and closes.
    EXPECT_EQ(read_reply(std::move(reply)).body.size(), 150'000u);
    expect_body(*site, "GET /large.bin", std::string(150'000, 'a'));
}

TEST_P(SiteChanges, NoAnswerIsEverAMixtureThatItsTagHides) {
    // One thread keeps rewriting the file. Two different bodies must never have the same entity
    // tag.
    tree.write("b.txt", std::string(1000, 'a'));
    const auto site = open_one();
    std::atomic<bool> stop{false};
    std::thread writer{[&] {
        for (int i = 0; !stop; ++i) {
            const std::string content(1000, static_cast<char>('a' + i % 26));
            if (i % 2 == 0)
                tree.write("b.txt", content);
            else
                tree.replace("b.txt", content);
        }
    }};
    std::vector<std::pair<std::string, std::string>> seen;
    for (int i = 0; i < 3000; ++i) {
        const auto answer = ask(*site, "GET /b.txt");
        if (answer.status == 200) seen.emplace_back(*answer.field("ETag"), answer.body);
    }
    stop = true;
    writer.join();
    std::ranges::sort(seen);
    for (std::size_t i = 1; i < seen.size(); ++i)
        if (seen[i].first == seen[i - 1].first) {
            EXPECT_EQ(seen[i].second, seen[i - 1].second);
        }
    const std::string last = [&] {
        std::ifstream file{tree.at("b.txt")};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }();
    expect_body(*site, "GET /b.txt", last);
}

TEST_F(SiteTest, WhereWatchesRunOutFilesAreLookedAtEachTime) {
    tree.write("a/b/c.txt", "one");
    tree.write("top.txt", "one");
    const auto site = open({.cache = {.watches_max = 1}});  // enough for the root alone
    EXPECT_TRUE(site->watching());
    settled(*site, "GET /a/b/c.txt");
    tree.write("a/b/c.txt", "two");
    EXPECT_EQ(ask(*site, "GET /a/b/c.txt").body, "two");
    settled(*site, "GET /top.txt");
    tree.write("top.txt", "two");
    expect_body(*site, "GET /top.txt", "two");
}

TEST_F(SiteTest, WithoutACacheEverythingIsServedToo) {
    tree.write("a.txt", "one");
    const auto site = open({.cache = {.entries_max = 0}});
    EXPECT_EQ(ask(*site, "GET /a.txt").body, "one");
    tree.write("a.txt", "two");
    EXPECT_EQ(ask(*site, "GET /a.txt").body, "two");
}

TEST_F(SiteTest, MoreFilesThanTheCacheHolds) {
    for (int i = 0; i < 50; ++i) tree.write(std::to_string(i) + ".txt", std::to_string(i));
    const auto site = open({.cache = {.entries_max = 8}});
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 50; ++i)
            EXPECT_EQ(ask(*site, "GET /" + std::to_string(i) + ".txt").body, std::to_string(i));
}

TEST_F(SiteTest, ManyThreadsAskAtOnceWhileFilesChange) {
    for (int i = 0; i < 8; ++i) tree.write(std::to_string(i) + ".txt", "0");
    const auto site = open({.cache = {.entries_max = 4}});
    std::vector<std::thread> threads;
    std::atomic<int> bad{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i)
                if (ask(*site, "GET /" + std::to_string(i % 8) + ".txt").status != 200) ++bad;
        });
    for (int i = 0; i < 200; ++i) tree.replace(std::to_string(i % 8) + ".txt", std::to_string(i));
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(bad, 0);
}

TEST_F(SiteTest, AForkedProcessLooksForItself) {
    tree.write("a.txt", "one");
    const auto site = open();
    settled(*site, "GET /a.txt");
    EXPECT_TRUE(in_child([&] {
        if (site->watching() || ask(*site, "GET /a.txt").body != "one") return false;
        tree.write("a.txt", "two");
        return ask(*site, "GET /a.txt").body == "two";
    }));
    expect_body(*site, "GET /a.txt", "two");
    EXPECT_TRUE(site->watching()) << "the parent goes on as before";
}

TEST_F(SiteTest, AForkedProcessMayWatchAgain) {
    if (tests::sanitized) GTEST_SKIP() << "ThreadSanitizer allows no thread after such a fork";
    tree.write("a.txt", "one");
    const auto site = open();
    settled(*site, "GET /a.txt");
    EXPECT_TRUE(in_child([&] {
        site->resume_watching();
        if (!site->watching()) return false;
        settled(*site, "GET /a.txt");
        tree.write("a.txt", "two");
        expect_body(*site, "GET /a.txt", "two");
        return !testing::Test::HasFailure();
    }));
}

TEST_F(SiteTest, ForkingWhileThreadsAskLeavesNoLockBehind) {
    for (int i = 0; i < 8; ++i) tree.write(std::to_string(i) + ".txt", "x");
    const auto site = open({.cache = {.entries_max = 2}});
    std::atomic<bool> stop{false};
    std::thread asker{[&] {
        for (int i = 0; !stop; ++i) ask(*site, "GET /" + std::to_string(i % 8) + ".txt");
    }};
    for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(in_child([&] { return ask(*site, "GET /1.txt").body == "x"; }));
    stop = true;
    asker.join();
}

}  // namespace
}  // namespace weir::site
