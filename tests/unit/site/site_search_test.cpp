#include <gmock/gmock.h>

#include <filesystem>

#include "site/search/walk.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// What a client sees that asks for JSON.
struct SiteSearch : SiteTest {
    Options options{.listing = true, .listing_search = true};

    TestAnswer search(std::string_view query, std::string_view folder = "/") {
        if (!site) site = open(options);
        const TestRequest request{"GET " + std::string{folder} + "?" + std::string{query},
                                  {"Accept: application/json"}};
        return read_reply(site->handle(request.get()));
    }
    /// The references of what was found.
    std::vector<std::string> found(std::string_view query, std::string_view folder = "/") {
        std::vector<std::string> all;
        const std::string body = search(query, folder).body;
        constexpr std::string_view before = "\"href\":\"";
        for (std::size_t at = 0; (at = body.find(before, at)) != body.npos;) {
            at += before.size();
            all.push_back(body.substr(at, body.find('"', at) - at));
        }
        return all;
    }

    std::unique_ptr<Site> site;
};

TEST_F(SiteSearch, FindsNamesInTheFolderAndBelow) {
    tree.write("top report.txt", "");
    tree.write("a/b/Report 2024.pdf", "12345");
    tree.write("a/reports/other", "");
    tree.write("a/b/other", "");
    EXPECT_THAT(found("q=report"),
                ElementsAre("./a/reports/", "./a/b/Report%202024.pdf", "./top%20report.txt"));
    EXPECT_THAT(found("q=REPORT", "/a/b/"), ElementsAre("./Report%202024.pdf"));
    EXPECT_THAT(found("q=2024+report"), ElementsAre("./a/b/Report%202024.pdf"));
    EXPECT_THAT(found("q=%20report%20%2024"), ElementsAre("./a/b/Report%202024.pdf"));
    EXPECT_THAT(found("q=b/Report"), IsEmpty()) << "it is for names, and not for paths";
    EXPECT_THAT(search("q=report").body, HasSubstr("{\"path\":\"/\",\"query\":\"report\",\"comp"));
    EXPECT_THAT(search("q=2024").body, HasSubstr("\"size\":5"));
    EXPECT_THAT(search("q=nothing+at+all").body, HasSubstr("\"complete\":true,\"total\":0"));
}

TEST_F(SiteSearch, SortsWhatItFinds) {
    tree.write("a/x1", "123");
    tree.write("b/x2", "1");
    tree.write("x3", "12");
    EXPECT_THAT(found("q=x"), ElementsAre("./a/x1", "./b/x2", "./x3"));
    EXPECT_THAT(found("q=x&sort=size"), ElementsAre("./b/x2", "./x3", "./a/x1"));
    EXPECT_THAT(found("sort=size&order=desc&q=x"), ElementsAre("./a/x1", "./x3", "./b/x2"));
}

TEST_F(SiteSearch, FindsWhatAClientCanFetch) {
    TemporaryTree outside;
    outside.write("x-secret", "s");
    tree.write("x", "");
    tree.write(".x", "");
    tree.write(".git/x", "");
    tree.write("x.bak", "");
    tree.write("kept/x-file", "k");
    tree.link("x-out", outside.at("x-secret"));
    tree.link("x-circle", ".");
    tree.link("x-link", "kept/x-file");
    ASSERT_EQ(::mkfifo(tree.at("x-pipe").c_str(), 0600), 0);
    options.hidden = {"*.bak"};
    EXPECT_THAT(found("q=x"), ElementsAre("./x-circle/", "./kept/x-file", "./x", "./x-link"))
        << "a link to a folder is not entered";
    options.dotfiles = true;
    site = nullptr;
    EXPECT_THAT(found("q=x"), testing::IsSupersetOf({"./.x", "./.git/x"}));
}

TEST_F(SiteSearch, LeavesOutWhatItIsTold) {
    tree.write("a/private/x", "");
    tree.write("a/x", "");
    options.leaves_out = [](const Candidate& one) {
        EXPECT_EQ(one.folder, "a");
        EXPECT_EQ(one.asked, "/a/");
        return one.path == "a/private";
    };
    EXPECT_THAT(found("q=x", "/a/"), ElementsAre("./x"));
    EXPECT_THAT(found("q=private", "/a/"), IsEmpty());
}

TEST_F(SiteSearch, IsIgnoredUnlessItIsOnAndHasWords) {
    tree.write("a", "");
    EXPECT_THAT(found("q="), ElementsAre("./a"));
    EXPECT_THAT(found("q=+++"), ElementsAre("./a"));
    EXPECT_THAT(found("xq=b"), ElementsAre("./a"));
    EXPECT_THAT(search("").body, Not(HasSubstr("query")));
    options.listing_search = false;
    site = nullptr;
    EXPECT_THAT(found("q=b"), ElementsAre("./a"));
    EXPECT_THAT(ask(*site, "GET /?q=b").body, Not(HasSubstr("<form")));
}

TEST_F(SiteSearch, HasPagesThatKeepTheWords) {
    tree.write("a/x&1", "");
    tree.write("b/x&2", "");
    options.listing_entries_max = 1;
    EXPECT_THAT(found("q=x%26&page=2"), ElementsAre("./b/x%262"));
    EXPECT_EQ(search("q=x%26").field("Link"),
              "<?q=x%26&page=2>; rel=\"next\", <?q=x%26&page=2>; rel=\"last\"");
    EXPECT_EQ(search("q=x%26&page=3").status, 404u);
    const std::string page = ask(*site, "GET /?q=x%26").body;
    EXPECT_THAT(page, HasSubstr("href=\"?q=x%26&amp;sort=size&amp;order=desc\""));
    EXPECT_THAT(page, HasSubstr("href=\"?q=x%26&amp;view=grid&amp;page=1\""));
}

TEST_F(SiteSearch, APageHasTheWordsAsText) {
    tree.write("README.md", "about");
    tree.write("\"><script>", "");
    options.listing_archives = true;
    site = open(options);
    EXPECT_THAT(ask(*site, "GET /").body, HasSubstr("<form class=\"search\" role=\"search\">"));
    const auto answer = ask(*site, "GET /?q=%22%3E%3Cscript%3E");
    EXPECT_THAT(answer.body, HasSubstr("value=\"&quot;&gt;&lt;script&gt;\""));
    EXPECT_THAT(answer.body, HasSubstr("<a href=\"./\">Show the whole folder</a>"));
    EXPECT_THAT(answer.body, Not(HasSubstr("about")));
    EXPECT_THAT(answer.body, Not(HasSubstr("?archive")));
    EXPECT_THAT(answer.field("Content-Security-Policy").value_or(""),
                HasSubstr("form-action 'self'"));
    EXPECT_THAT(ask(*site, "GET /?q=zzz").body, HasSubstr("Nothing was found."));
}

TEST_F(SiteSearch, ReadsALargeTreeInPieces) {
    for (int i = 0; i < 1'200; ++i) tree.directory("d" + std::to_string(i));
    tree.write("d700/here", "");
    site = open(options);
    const TestRequest request{"GET /?q=here", {"Accept: application/json"}};
    auto reply = site->handle(request.get());
    ASSERT_TRUE(std::holds_alternative<http::Later>(reply)) << "others are served meanwhile";
    EXPECT_THAT(read_reply(std::move(reply)).body, HasSubstr("\"name\":\"d700/here\""));
    EXPECT_THAT(found("q=d1199"), ElementsAre("./d1199/")) << "what was found is kept for nobody";
    EXPECT_EQ(found("").size(), 1'000u);
}

TEST_F(SiteSearch, PassesOverFoldersThatAreTooDeep) {
    std::string path;
    for (std::size_t i = 0; i <= Walk::depth_max; ++i) path += "d/";
    tree.write(path + "x", "");
    tree.write("x", "");
    EXPECT_THAT(found("q=x"), ElementsAre("./x"));
    EXPECT_THAT(search("q=x").body, HasSubstr("\"complete\":false"));
    EXPECT_THAT(ask(*site, "GET /?q=x").body, HasSubstr("The search has ended early."));
}

TEST_F(SiteSearch, FindsLongPaths) {
    const std::string long_name(200, 'n');
    tree.write(long_name + "/" + long_name + "/x", "");
    EXPECT_THAT(found("q=x"), ElementsAre("./" + long_name + "/" + long_name + "/x"));
}

}  // namespace
}  // namespace weir::site
