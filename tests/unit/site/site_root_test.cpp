#include <filesystem>

#include "base/troubles.h"
#include "site/path/hashed_name.h"
#include "site/root/earlier_roots.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

/// The root's path leads elsewhere while the site runs, with inotify and without.
class SiteRoot : public SiteTest, public testing::WithParamInterface<bool> {
   protected:
    std::unique_ptr<Site> open_at(const std::string& path, Options options = {}) const {
        options.root = tree.at(path).string();
        options.cache.watches_max = GetParam() ? std::size_t{1000} : 0;
        return *Site::open(std::move(options));
    }
    void exchange_link(const std::string& name, const std::string& target) const {
        tree.link(name + "~", target);
        std::filesystem::rename(tree.at(name + "~"), tree.at(name));
    }
};
INSTANTIATE_TEST_SUITE_P(, SiteRoot, testing::Bool(), [](const auto& param) {
    return std::string{param.param ? "Watched" : "Followed"};
});

TEST_P(SiteRoot, IsMadeAgain) {
    tree.write("dist/a.txt", "one");
    tree.write("dist/old.txt", "old");
    const auto site = open_at("dist");
    settled(*site, "GET /a.txt");
    settled(*site, "GET /old.txt");
    for (const std::string content : {"two", "three"}) {
        tree.remove("dist");
        tree.write("dist/a.txt", content);
        expect_body(*site, "GET /a.txt", content);
        expect_status(*site, "GET /old.txt", 404);
        settled(*site, "GET /a.txt");
    }
    tree.write("dist/a.txt", "four");
    expect_body(*site, "GET /a.txt", "four");
}

TEST_P(SiteRoot, IsALinkThatIsExchanged) {
    tree.write("one/a.txt", "one");
    tree.write("two/a.txt", "two");
    tree.link("current", "one");
    const auto site = open_at("current");
    settled(*site, "GET /a.txt");
    exchange_link("current", "two");
    expect_body(*site, "GET /a.txt", "two");
    settled(*site, "GET /a.txt");
    tree.write("two/a.txt", "three");
    expect_body(*site, "GET /a.txt", "three");
    exchange_link("current", tree.at("one"));
    expect_body(*site, "GET /a.txt", "one");
}

TEST_P(SiteRoot, IsBelowALinkThatIsExchanged) {
    tree.write("releases/1/public/a.txt", "one");
    tree.write("releases/2/public/a.txt", "two");
    tree.link("current", "releases/1");
    const auto site = open_at("current/./public/");
    settled(*site, "GET /a.txt");
    exchange_link("current", "releases/2");
    expect_body(*site, "GET /a.txt", "two");
}

TEST_P(SiteRoot, IsBehindTwoLinks) {
    tree.write("releases/1/a.txt", "one");
    tree.write("releases/2/a.txt", "two");
    tree.link("releases/stable", "1");
    tree.link("current", "releases/stable");
    const auto site = open_at("current");
    settled(*site, "GET /a.txt");
    exchange_link("releases/stable", "2");
    expect_body(*site, "GET /a.txt", "two");
}

TEST_P(SiteRoot, IsReplacedAboveItsName) {
    tree.write("a/b/site/a.txt", "one");
    const auto site = open_at("a/b/../b/site");
    settled(*site, "GET /a.txt");
    std::filesystem::rename(tree.at("a"), tree.at("old"));
    expect_status(*site, "GET /a.txt", 503);
    tree.write("a/b/site/a.txt", "two");
    expect_body(*site, "GET /a.txt", "two");
}

TEST_P(SiteRoot, IsFoundAtOnceWhereTheOldOneIsRemoved) {
    const auto write = [&](int release) {
        tree.write(std::to_string(release) + "/a.txt", std::to_string(release));
    };
    write(0);
    tree.link("current", "0");
    const auto site = open_at("current");
    for (int release = 1; release <= 100; ++release) {
        write(release);
        exchange_link("current", std::to_string(release));
        tree.remove(std::to_string(release - 1));
        ASSERT_EQ(ask(*site, "GET /a.txt").status, 200u) << release;
    }
}

TEST_P(SiteRoot, IsGoneForAMoment) {
    tree.write("site/a.txt", "one");
    tree.write("site/503.html", "not this one: it is gone, too");
    const auto before = troubles().count(Trouble::root);
    const auto site = open_at("site");
    settled(*site, "GET /a.txt");
    std::filesystem::rename(tree.at("site"), tree.at("moved"));
    for (const auto* const line : {"GET /a.txt", "GET /", "HEAD /missing"}) {
        const auto answer =
            ask_until(*site, line, [](const auto& got) { return got.status == 503; });
        EXPECT_EQ(answer.field("Retry-After"), "1");
    }
    EXPECT_EQ(ask(*site, "OPTIONS /a.txt").status, 204u);
    EXPECT_EQ(troubles().count(Trouble::root), before + 1);
    std::filesystem::rename(tree.at("moved"), tree.at("site"));
    expect_body(*site, "GET /a.txt", "one");
    EXPECT_EQ(troubles().count(Trouble::root), before + 1);
}

TEST_P(SiteRoot, IsAFileForAMoment) {
    tree.write("site/a.txt", "one");
    const auto site = open_at("site");
    settled(*site, "GET /a.txt");
    tree.remove("site");
    tree.write("site", "no folder");
    expect_status(*site, "GET /a.txt", 503);
    tree.remove("site");
    tree.write("site/a.txt", "two");
    expect_body(*site, "GET /a.txt", "two");
}

TEST_P(SiteRoot, ThatStaysIsNotFollowedForItsNeighbours) {
    tree.write("site/a.txt", "one");
    const auto site = open_at("site");
    settled(*site, "GET /a.txt");
    tree.write("sites/a.txt", "two");
    tree.write("site~", "");
    tree.remove("site~");
    EXPECT_EQ(ask(*site, "GET /a.txt").body, "one");
}

TEST_P(SiteRoot, AnswersUnderWayAreOfTheDirectoryOfBefore) {
    tree.write("one/large", std::string(100'000, '1'));
    tree.write("two/large", std::string(100'000, '2'));
    tree.link("current", "one");
    const auto site = open_at("current");
    const TestRequest request{"GET /large"};
    auto under_way = site->handle(request.get());
    exchange_link("current", "two");
    expect_body(*site, "GET /large", std::string(100'000, '2'));
    EXPECT_EQ(read_reply(std::move(under_way)).body, std::string(100'000, '1'));
}

TEST_P(SiteRoot, IsThePresentOneForAListingThatWasBegunBefore) {
    const auto write = [&](const std::string& release, int names) {
        tree.write(release + "/files/of-" + release, "");
        for (int i = 1; i < names; ++i)
            std::filesystem::create_hard_link(tree.at(release + "/files/of-" + release),
                                              tree.at(release + "/files/z" + std::to_string(i)));
    };
    constexpr int many = 4'100;
    write("many", many);
    write("few", 1);
    for (const std::string next : {"many", "few"}) {
        write("before", many);
        exchange_link("current", "before");
        const auto site = open_at("current", {.listing = true});
        const TestRequest request{"GET /files/", {"Accept: application/json"}};
        auto reply = site->handle(request.get());
        ASSERT_TRUE(std::holds_alternative<http::Later>(reply));
        exchange_link("current", next);
        tree.remove("before");
        const auto answer = read_reply(std::move(reply));
        EXPECT_EQ(answer.status, 200u);
        EXPECT_TRUE(answer.body.contains("\"of-" + next + '"')) << answer.body.substr(0, 200);
    }
}

TEST_P(SiteRoot, LeavesItsHashedFilesForAWhile) {
    tree.write("one/main-3f2a1b9c.js", "one");
    tree.write("one/main-3f2a1b9c.js.gz", "no gzip, but sent as such");
    tree.write("one/page.html", "one");
    tree.write("two/main-77aa00bb.js", "two");
    tree.write("two/page.html", "two");
    tree.write("three/page.html", "three");
    tree.link("current", "one");
    const auto site = open_at("current", {.keep_old = std::chrono::hours{1}});
    settled(*site, "GET /main-3f2a1b9c.js");
    const auto before = ask(*site, "GET /main-3f2a1b9c.js").field("ETag");
    for (const std::string release : {"two", "three"}) {
        exchange_link("current", release);
        expect_body(*site, "GET /page.html", release);
        const auto kept = ask(*site, "GET /main-3f2a1b9c.js");
        EXPECT_EQ(kept.body, "one");
        EXPECT_EQ(kept.field("ETag"), before);
        EXPECT_EQ(ask(*site, "GET /main-3f2a1b9c.js", {"Accept-Encoding: gzip"})
                      .field("Content-Encoding"),
                  "gzip");
        EXPECT_EQ(ask(*site, "GET /missing.js").status, 404U);
    }
    EXPECT_EQ(ask(*site, "GET /main-77aa00bb.js").body, "two");
    tree.write("three/main-3f2a1b9c.js", "new");
    expect_body(*site, "GET /main-3f2a1b9c.js", "new");
    tree.remove("two");
    expect_status(*site, "GET /main-77aa00bb.js", 404);
}

TEST_P(SiteRoot, LeavesNothingUnlessItIsAskedFor) {
    tree.write("one/main-3f2a1b9c.js", "one");
    tree.write("one/left.html", "one");
    tree.write("two/page.html", "two");
    for (const auto keep_old : {std::chrono::hours{0}, std::chrono::hours{1}}) {
        exchange_link("current", "one");
        const auto site = open_at("current", {.keep_old = keep_old});
        settled(*site, "GET /left.html");
        exchange_link("current", "two");
        expect_body(*site, "GET /page.html", "two");
        EXPECT_EQ(ask(*site, "GET /left.html").status, 404U);
        EXPECT_EQ(ask(*site, "GET /main-3f2a1b9c.js").status, keep_old.count() ? 200U : 404U);
    }
}

TEST(EarlierRoots, AreKeptForTheirTime) {
    const TemporaryTree tree;
    const auto root = [&](const std::string& name) {
        tree.directory(name);
        return std::make_shared<const RootDirectory>(
            *RootDirectory::open(tree.at(name).string(), Symlinks::none));
    };
    const auto one = root("one"), two = root("two");
    const Instant begin{};
    using Roots = std::vector<EarlierRoots::Root>;
    EarlierRoots earlier{std::chrono::seconds{10}};
    earlier.add(one, begin);
    earlier.add(nullptr, begin);
    earlier.add(two, begin + std::chrono::seconds{5});
    EXPECT_EQ(earlier.at(begin + std::chrono::seconds{9}), (Roots{two, one}));
    EXPECT_EQ(earlier.at(begin + std::chrono::seconds{10}), Roots{two});
    EXPECT_EQ(earlier.at(begin + std::chrono::seconds{15}), Roots{});
    EXPECT_EQ(one.use_count(), 1);
    for (int i = 0; i < 100; ++i) earlier.add(i < 92 ? one : two, begin + std::chrono::seconds{20});
    EXPECT_EQ(earlier.at(begin + std::chrono::seconds{20}), (Roots(8, two)));
    EarlierRoots none{std::chrono::milliseconds{0}};
    none.add(one, begin);
    EXPECT_EQ(none.at(begin), Roots{});
}

TEST(HashedName, HasAHashBeforeItsExtension) {
    for (const auto* const path : {"/assets/index-BHx2k3a9.js", "/main.3f2a1b9c.css",
                                   "/main.3f2a1b9c.css.map", "/a-b-c.0123456789abcdef0123.js",
                                   "/index-Bx-_k3a9.js", "/chunk-ABCDEFGH.mjs", "/x-DiwrgTda.svg"})
        EXPECT_TRUE(has_hash(path)) << path;
    for (const auto* const path :
         {"/", "/index.html", "/main.js", "/3f2a1b9c.js", "/index-BHx2k3a9", "/jquery.min.js",
          "/some-component.js", "/bootstrap-5.3.2.min.js", "/report-2026-11-30.pdf",
          "/3f2a1b9c/a.js", "/a.3f2a1b9c/b.js", "/main.3f2a1b9.css", "/main-3f2a1b%c.js"})
        EXPECT_FALSE(has_hash(path)) << path;
}

TEST(PlacesOfRoot, AreThoseWhereAnotherMayTakeItsPlace) {
    const TemporaryTree tree;
    const std::string top = std::filesystem::canonical(tree.string()).string();
    tree.directory("app/releases/1/public");
    tree.directory("data/releases/1");
    tree.link("app/current", "releases/1");
    tree.link("app/elsewhere", tree.at("data/releases/1"));
    const auto places = [&](const std::string& path) {
        return places_of_root(tree.at(path).string());
    };
    using Places = std::vector<std::string>;
    EXPECT_EQ(places("app"), Places{top});
    EXPECT_EQ(places("app/current"), (Places{top + "/app", top + "/app/releases"}));
    EXPECT_EQ(places("app/current/public"),
              (Places{top + "/app", top + "/app/releases", top + "/app/releases/1"}));
    EXPECT_EQ(places("app/elsewhere"), (Places{top + "/app", top + "/data/releases"}));
    EXPECT_EQ(places_of_root("/"), Places{});
    EXPECT_EQ(places_of_root("/usr"), Places{});
}

}  // namespace
}  // namespace weir::site
