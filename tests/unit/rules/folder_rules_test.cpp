#include "weir/rules/folder_rules.h"

#include <gtest/gtest.h>

#include "rules/folder/rule_files.h"
#include "unit/access/test_clock.h"
#include "unit/site/site_fixture.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

/// A handler that says so of every path, before the site is asked.
class Refusing final : public http::Handler {
   public:
    Refusing(http::Handler& inner, unsigned status) : inner_{inner}, status_{status} {}

    http::Reply handle(const http::Request& request) override {
        if (request.asked_path().starts_with("/shut") || request.path().starts_with("/shut"))
            return http::error_response(static_cast<http::Status>(status_));
        if (request.asked_path().starts_with("/later"))
            return http::Later{std::make_unique<AtOnce>()};
        return inner_.handle(request);
    }

   private:
    struct AtOnce final : http::Continuation {
        http::Reply resume() override { return http::error_response(http::Status::not_found); }
    };

    http::Handler& inner_;
    const unsigned status_;
};

struct FolderRules : site::SiteTest {
    std::vector<std::string> told;

    std::unique_ptr<site::Site> site() const {
        return open({.hidden = {folder_rule_files.begin(), folder_rule_files.end()},
                     .cache = {.watches_max = 0}});
    }
    RuleFiles::Notice notice() {
        return [this](std::string_view sentence) { told.emplace_back(sentence); };
    }
};

TEST_F(FolderRules, AFileWinsUnlessTheLineIsForced) {
    tree.write("here", "here");
    tree.write("dir/index.html", "dir");
    tree.write("page", "page");
    tree.write("_redirects", "/here /a\n/dir/ /a\n/none /a?b\n/page /b 307!\n/* /page 200\n");
    const auto served = site();
    const auto rules = follow_folder_rules(*served, *served, *served);
    web::Probe probe{*rules};
    EXPECT_EQ(probe.get("/here").content, "here");
    EXPECT_EQ(probe.get("/dir/").content, "dir");
    EXPECT_EQ(probe.get("/none?q").field("Location"), "/a?b&q");
    EXPECT_EQ(probe.get("/page").status, 307u);
    EXPECT_EQ(probe.get("/x").content, "page");
    EXPECT_EQ(probe.ask("POST", "/none").status, 405u);
    for (const char* const path : {"/_redirects", "/_headers"})
        EXPECT_EQ(probe.get(path).status, 404u) << path;
}

TEST_F(FolderRules, APageOfA404IsWhole) {
    tree.write("no.html", "no such page");
    tree.write("_redirects", "/* /no.html 404\n/gone/* /none 404\n");
    const auto served = site();
    const auto rules = follow_folder_rules(*served, *served, *served);
    web::Probe probe{*rules};
    EXPECT_EQ(probe.get("/x").status, 404u);
    EXPECT_EQ(probe.get("/x").content, "no such page");
    const auto part = probe.get("/x", {{"Range", "bytes=0-1"}});
    EXPECT_EQ(part.status, 404u);
    EXPECT_NE(part.content, "no");
    EXPECT_EQ(part.field("Content-Range"), "");
}

TEST_F(FolderRules, ARefusalStays) {
    tree.write("_redirects", "/shut/* /a 301!\n/open/* /shut/:splat 200!\n/later/* /b 302\n");
    const auto served = site();
    for (const unsigned status : {401u, 403u, 429u, 503u}) {
        Refusing around{*served, status};
        const auto rules = follow_folder_rules(around, *served, *served);
        web::Probe probe{*rules};
        EXPECT_EQ(probe.get("/shut/x").status, status);
        EXPECT_EQ(probe.get("/open/x").status, status);
        EXPECT_EQ(probe.get("/later/x").field("Location"), "/b");
    }
}

TEST_F(FolderRules, FieldsReplaceThoseOfTheSite) {
    tree.write("a.html", "a");
    tree.set_modified("a.html", 1'700'000'000);
    tree.write("_headers",
               "/*\n Cache-Control: max-age=9\n Content-Type: text/x\n Vary: Origin\n X-A: 1\n"
               " ! X-Content-Type-Options\n");
    const auto served = site();
    const auto rules = follow_folder_rules(*served, *served, *served);
    web::Probe probe{*rules};
    const auto page = probe.get("/a.html");
    EXPECT_EQ(page.field("Cache-Control"), "max-age=9");
    EXPECT_EQ(page.field("Content-Type"), "text/x");
    EXPECT_EQ(page.field("X-Content-Type-Options"), "");
    EXPECT_EQ(std::ranges::count(page.fields, "Cache-Control",
                                 &std::pair<std::string, std::string>::first),
              1);
    const std::string tag{page.field("ETag")};
    const auto unmodified = probe.get("/a.html", {{"If-None-Match", tag}});
    EXPECT_EQ(unmodified.status, 304u);
    EXPECT_EQ(unmodified.field("Content-Type"), "");
    EXPECT_EQ(unmodified.field("Cache-Control"), "max-age=9");
    const auto missing = probe.get("/none");
    EXPECT_EQ(missing.field("X-A"), "1");
    EXPECT_NE(missing.field("Cache-Control"), "max-age=9");
    EXPECT_NE(missing.field("Content-Type"), "text/x");
}

/// As the rules of --header are.
TEST_F(FolderRules, FieldsOfAllPathsAreForThoseThatNoFileCanHave) {
    tree.write("_headers", "/*\n X-A: 1\n/a/*\n X-A: 2\n");
    tree.write("_redirects", "/* /elsewhere\n");
    const auto served = site();
    const auto rules = follow_folder_rules(*served, *served, *served);
    web::Probe probe{*rules};
    for (const auto& [path, status] :
         {std::pair{"/x%2fy", 404u}, {"/%zz", 400u}, {"/x%00", 400u}}) {
        const auto answer = probe.get(path);
        EXPECT_EQ(answer.status, status) << path;
        EXPECT_EQ(answer.field("X-A"), "1") << path;
    }
    EXPECT_EQ(probe.get("/a/%zz").field("X-A"), "1, 2");
    EXPECT_EQ(probe.ask("OPTIONS", "*").field("X-A"), "1");
}

TEST_F(FolderRules, AChangeIsLookedForOnceASecond) {
    const auto served = site();
    RuleFiles files{*served, notice(), access::test_clock};
    EXPECT_TRUE(files.now()->moves.empty());
    tree.write("_redirects", "/a /b\n");
    EXPECT_TRUE(files.now()->moves.empty());
    access::test_time().instant += std::chrono::seconds{1};
    EXPECT_EQ(files.now()->moves.size(), 1u);
    const auto before = files.now();
    access::test_time().instant += std::chrono::seconds{1};
    EXPECT_EQ(files.now(), before);
}

TEST_F(FolderRules, AFaultIsToldOnceForEachState) {
    tree.write("_redirects", "/a\n");
    const auto served = site();
    RuleFiles files{*served, notice(), access::test_clock};
    access::test_time().instant += std::chrono::seconds{1};
    files.now();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].starts_with("_redirects:1: ")) << told[0];
    std::string many;
    for (int line = 0; line < 30; ++line) many += "/a\n";
    tree.replace("_redirects", many);
    access::test_time().instant += std::chrono::seconds{1};
    files.now();
    ASSERT_EQ(told.size(), 1u + 20 + 1);
    EXPECT_EQ(told.back(), "_redirects: 10 more lines are ignored");
}

TEST_F(FolderRules, AFileThatCannotBeReadIsTold) {
    tree.write("_headers", std::string(256 * 1024 + 1, '\n'));
    tree.write("other", "/a /b\n");
    std::filesystem::create_symlink("other", tree.at("_redirects"));
    const auto served = site();
    const RuleFiles files{*served, notice(), access::test_clock};
    ASSERT_EQ(told.size(), 2u);
    EXPECT_TRUE(told[0].contains("_headers can't be read") && told[0].contains("256 KB"));
    EXPECT_TRUE(told[1].contains("it is a symbolic link")) << told[1];
}

TEST_F(FolderRules, BelongToTheReleaseThatIsServed) {
    tree.write("1/_redirects", "/a /one\n");
    tree.write("2/_redirects", "/a /two\n");
    std::filesystem::create_directory_symlink("1", tree.at("now"));
    const auto served =
        *site::Site::open({.root = tree.at("now").string(), .cache = {.watches_max = 0}});
    RuleFiles files{*served, notice(), access::test_clock};
    const auto first = files.now();
    EXPECT_TRUE(files.are_current(*first));
    std::filesystem::create_directory_symlink("2", tree.at("next"));
    std::filesystem::rename(tree.at("next"), tree.at("now"));
    EXPECT_FALSE(files.are_current(*first));
    const auto rules = follow_folder_rules(*served, *served, *served);
    EXPECT_EQ(web::Probe{*rules}.get("/a").field("Location"), "/two");
    EXPECT_TRUE(files.are_current(*files.now()));
}

/// Lets another release take the place of the first one while the first call is answered.
class Releasing final : public http::Handler {
   public:
    Releasing(const site::TemporaryTree& tree) : tree_{tree} {}

    http::Reply handle(const http::Request&) override {
        if (++calls == 1) {
            tree_.link("next", "2");
            std::filesystem::rename(tree_.at("next"), tree_.at("now"));
        }
        return http::Response{http::Status::no_content};
    }
    int calls = 0;

   private:
    const site::TemporaryTree& tree_;
};

TEST_F(FolderRules, OfANewReleaseAskAgainForWhatIsReadAndNotForWhatIsChanged) {
    tree.directory("1");
    tree.directory("2");
    for (const auto& [method, calls] : {std::pair{"GET", 2}, {"HEAD", 2}, {"DELETE", 1}}) {
        tree.remove("now");
        tree.link("now", "1");
        const auto served =
            *site::Site::open({.root = tree.at("now").string(), .cache = {.watches_max = 0}});
        Releasing inner{tree};
        const auto rules = follow_folder_rules(inner, *served, *served);
        EXPECT_EQ(web::Probe{*rules}.ask(method, "/a").status, 204u);
        EXPECT_EQ(inner.calls, calls) << method;
    }
}

/// Asks the site later, as a handler does that compares a password first. Meanwhile, another release
/// takes the place of the first one.
class AskingLater final : public http::Handler {
   public:
    AskingLater(http::Handler& site, const site::TemporaryTree& tree) : site_{site}, tree_{tree} {}

    http::Reply handle(const http::Request& request) override {
        if (++calls > 1) return site_.handle(request);
        return http::Later{std::make_unique<Asks>(*this, request.share())};
    }
    int calls = 0;

   private:
    struct Asks final : http::Continuation {
        Asks(AskingLater& of, std::shared_ptr<const http::Request> about)
            : asking{of}, request{std::move(about)} {}
        http::Reply resume() override {
            asking.tree_.link("next", "2");
            std::filesystem::rename(asking.tree_.at("next"), asking.tree_.at("now"));
            return asking.site_.handle(*request);
        }
        AskingLater& asking;
        std::shared_ptr<const http::Request> request;
    };

    http::Handler& site_;
    const site::TemporaryTree& tree_;
};

TEST_F(FolderRules, BelongToTheReleaseThatAnswersLater) {
    for (const std::string release : {"1", "2"}) {
        tree.write(release + "/a", release);
        tree.write(release + "/b", release);
        tree.write(release + "/_headers", "/*\n  X-Release: " + release + "\n");
        tree.write(release + "/_redirects", "/to /" + release + "\n/old /b 200\n");
    }
    struct Expected {
        const char* path;
        unsigned status;
        int calls;
    };
    for (const auto& [path, status, calls] :
         {Expected{"/a", 200, 2}, {"/to", 301, 2}, {"/none", 404, 2}, {"/old", 503, 1}}) {
        tree.remove("now");
        tree.link("now", "1");
        const auto served =
            *site::Site::open({.root = tree.at("now").string(), .cache = {.watches_max = 0}});
        AskingLater inner{*served, tree};
        const auto rules = follow_folder_rules(inner, *served, *served);
        const auto answer = web::Probe{*rules}.get(path);
        EXPECT_EQ(answer.status, status) << path;
        EXPECT_EQ(inner.calls, calls) << path;
        EXPECT_EQ(answer.field("X-Release"), status == 503 ? "" : "2") << path;
        if (status == 200) {
            EXPECT_EQ(answer.content, "2");
        }
        if (status == 301) {
            EXPECT_EQ(answer.field("Location"), "/2");
        }
    }
}

TEST_F(FolderRules, AreForRequestsBelowThePrefix) {
    tree.write("_redirects", "/a /b\n");
    const auto served = site();
    const auto rules = follow_folder_rules(*served, *served, *served, {.below_prefix = true});
    EXPECT_EQ(web::Probe{*rules}.get("/a").status, 404u);
}

}  // namespace
}  // namespace weir::rules
