#include "weir/live/live.h"

#include <gtest/gtest.h>

#include "../site/temporary_tree.h"
#include "weir/web/probe.h"

namespace weir::live {
namespace {

struct LiveSite : ::testing::Test {
    LiveSite() { tree.write("index.html", "<p>"); }

    site::TemporaryTree tree;
    const site::Options options{.root = tree.string(),
                                .cache = {.entries_max = 0, .watches_max = 0}};
    const std::unique_ptr<site::Site> site = *site::Site::open(options);
    const std::unique_ptr<Reloader> live = *around(*site, options, {.streams_max = 2});
    web::Probe probe{*live};

    /// The version that a page of now has.
    std::string version() {
        const std::string page = probe.get("/").content;
        const std::string_view before = "data-version=\"";
        const auto begin = page.find(before) + before.size();
        return page.substr(begin, page.find('"', begin) - begin);
    }
};

TEST_F(LiveSite, HasTheScript) {
    const auto answer = probe.get("/.weir/live.js");
    EXPECT_EQ(answer.field("Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_TRUE(answer.content.contains("EventSource"));
    EXPECT_EQ(probe.ask("POST", "/.weir/live.js").status, 405u);
    EXPECT_EQ(probe.ask("PUT", "/.weir/live").field("Allow"), "GET, HEAD");
}

TEST_F(LiveSite, TellsTheVersionAtOnce) {
    const auto answer = probe.open("GET", "/.weir/live").answer();
    EXPECT_EQ(answer.field("Content-Type"), "text/event-stream");
    EXPECT_EQ(answer.content,
              "retry: 1000\nevent: hello\nid: " + version() + "\ndata: " + version() + "\n\n");
    EXPECT_EQ(probe.ask("HEAD", "/.weir/live").status, 200u);
}

TEST_F(LiveSite, TellsOfAChange) {
    tree.write("style.css", "a{}");
    live->watch();
    const auto told = [this](std::string_view path) {
        auto events = probe.open("GET", "/.weir/live");
        events.wait_for("hello");
        tree.write(path, path);
        return events.wait_for("\n\nevent: ").content;
    };
    EXPECT_TRUE(told("index.html").contains("event: reload\n"));
    EXPECT_TRUE(told("a/b/new.html").contains("event: reload\n"));
    EXPECT_TRUE(told("a/b/new.html").contains("event: reload\n"));
}

TEST_F(LiveSite, TellsThatAllWasGoneBeforeItWatched) {
    const auto again = around(*site, options);
    web::Probe other{**again};
    auto events = other.open("GET", "/.weir/live");
    events.wait_for("hello");
    tree.remove("index.html");
    (*again)->watch();
    EXPECT_TRUE(events.wait_for("\n\nevent: ").content.contains("event: reload\n"));
}

TEST_F(LiveSite, TellsOfAStyleSheet) {
    tree.write("style.css", "a{}");
    const auto again = around(*site, options);
    (*again)->watch();
    web::Probe other{**again};
    auto events = other.open("GET", "/.weir/live");
    events.wait_for("hello");
    tree.write("style.css", "b{}");
    EXPECT_TRUE(events.wait_for("event: css\n").content.ends_with("\n\n"));
}

TEST_F(LiveSite, HasAHeartbeat) {
    auto events = probe.open("GET", "/.weir/live");
    for (int beat = 1; beat <= 2; ++beat) {
        probe.advance(std::chrono::seconds{15});
        const std::string content = events.answer().content;
        EXPECT_EQ(std::ranges::count(content, ':'), 4 + beat) << content;
    }
}

TEST_F(LiveSite, TellsNoMoreThanItMay) {
    auto first = probe.open("GET", "/.weir/live");
    {
        auto second = probe.open("GET", "/.weir/live");
        const auto third = probe.get("/.weir/live");
        EXPECT_EQ(third.status, 503u);
        EXPECT_EQ(third.field("Retry-After"), "2");
        second.leave();
    }
    EXPECT_EQ(probe.open("GET", "/.weir/live").answer().status, 200u);
}

TEST_F(LiveSite, EndsTheStreams) {
    live->watch();
    auto events = probe.open("GET", "/.weir/live");
    live->end();
    EXPECT_TRUE(events.wait().is_complete);
    EXPECT_EQ(probe.get("/.weir/live").status, 503u);
}

TEST_F(LiveSite, ServesItsPathsBehindARewrite) {
    struct ToIndex final : http::Handler {
        explicit ToIndex(http::Handler& of) : inner{of} {}
        http::Reply handle(const http::Request& request) override {
            request.rewrite("/index.html");
            return inner.handle(request);
        }
        http::Handler& inner;
    } all{*live};
    EXPECT_EQ(web::Probe{all}.get("/.weir/live.js").field("Content-Type"),
              "text/javascript; charset=utf-8");
    EXPECT_TRUE(web::Probe{all}.get("/any").content.starts_with("<p>"));
}

TEST_F(LiveSite, NeedsItsRoot) {
    site::Options elsewhere = options;
    elsewhere.root += "/none";
    const auto made = around(*site, elsewhere);
    ASSERT_FALSE(made.has_value());
    EXPECT_TRUE(made.error().contains("cannot serve"));
}

/// A page could have an old file otherwise, and no news of the new one any more.
TEST_F(LiveSite, NeedsASiteThatCachesNothing) {
    for (const site::CacheOptions& cache :
         {site::CacheOptions{.entries_max = 0}, site::CacheOptions{.watches_max = 0}}) {
        site::Options caches = options;
        caches.cache = cache;
        const auto made = around(*site, caches);
        ASSERT_FALSE(made.has_value());
        EXPECT_TRUE(made.error().contains("has a cache"));
    }
}

}  // namespace
}  // namespace weir::live
