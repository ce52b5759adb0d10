#include "site/listing/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "site/listing/folder_reader.h"
#include "site/page/json.h"
#include "unit/site/request_fixture.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
}

Listing listing_of(const TemporaryTree& tree, const std::string& directory = "",
                   bool dotfiles = false, const ListingQuery& query = {},
                   std::size_t entries_max = 1000) {
    const auto root = std::make_shared<const RootDirectory>(
        *RootDirectory::open(tree.string(), Symlinks::inside_root));
    FolderReader reader{*open_folder(root, directory),
                        {.order = query.order, .dotfiles = dotfiles}};
    while (!*reader.advance()) continue;
    return *read_page(*root, directory, reader.take(), query, entries_max,
                      *MediaTypes::from({{.glob = "*.own", .media_type = "audio/own"}}));
}

std::vector<std::string> names_in(const Listing& listing) {
    std::vector<std::string> names;
    for (const auto& entry : listing.entries)
        names.push_back(entry.name + (entry.is_directory ? "/" : ""));
    return names;
}

TEST(Listing, DirectoriesFirstThenByName) {
    const TemporaryTree tree;
    for (const auto* const name : {"b.txt", "A.txt", "c.txt", "Z", "a"}) tree.write(name, "x");
    tree.directory("zoo");
    tree.directory("Bar");
    EXPECT_THAT(names_in(listing_of(tree)),
                testing::ElementsAre("Bar/", "zoo/", "a", "A.txt", "b.txt", "c.txt", "Z"));
}

TEST(Listing, ShowsOnlyWhatCanBeFetched) {
    const TemporaryTree outside;
    outside.write("secret", "x");
    const TemporaryTree tree;
    tree.write("file", "x");
    tree.write(".hidden", "x");
    tree.link("inside", "file");
    tree.link("outside", outside.at("secret"));
    tree.link("dangling", "nothing");
    ASSERT_EQ(::mkfifo(tree.at("fifo").c_str(), 0600), 0);
    EXPECT_THAT(names_in(listing_of(tree)), testing::ElementsAre("file", "inside"));
    EXPECT_THAT(names_in(listing_of(tree, "", true)),
                testing::ElementsAre(".hidden", "file", "inside"));
    for (const auto by : {ListingOrder::By::size, ListingOrder::By::time})
        EXPECT_THAT(names_in(listing_of(tree, "", false, {.order = {.by = by}})),
                    testing::UnorderedElementsAre("file", "inside"));
}

TEST(Listing, HasPages) {
    const TemporaryTree tree;
    for (int i = 0; i < 10; ++i) tree.write("f" + std::to_string(i), "x");
    const auto page = [&](std::size_t number) {
        return listing_of(tree, "", false, {.page = number}, 4);
    };
    EXPECT_THAT(names_in(page(1)), testing::ElementsAre("f0", "f1", "f2", "f3"));
    EXPECT_THAT(names_in(page(3)), testing::ElementsAre("f8", "f9"));
    const Listing second = page(2);
    EXPECT_EQ(second.pages, 3u);
    EXPECT_EQ(second.total, 10u);
    EXPECT_EQ(links_of(second),
              "<?page=1>; rel=\"first\", <?page=1>; rel=\"prev\", <?page=3>; rel=\"next\", "
              "<?page=3>; rel=\"last\"");
    EXPECT_THAT(listing_as_html(second), HasSubstr("Page 2 of 3"));
    EXPECT_THAT(listing_as_html(second), HasSubstr("<a rel=\"prev\" href=\"?page=1\">"));
    EXPECT_THAT(listing_as_json(second),
                HasSubstr("\"complete\":false,\"total\":10,\"page\":2,\"pages\":3,\"next\":"
                          "\"?page=3\",\"entries\""));
    EXPECT_THAT(listing_as_json(page(3)), Not(HasSubstr("\"next\"")));
    EXPECT_THAT(listing_as_html(page(3)), Not(HasSubstr("rel=\"next\"")));
    EXPECT_EQ(links_of(listing_of(tree)), "");
    EXPECT_THAT(listing_as_html(listing_of(tree)), Not(HasSubstr("Page 1")));
}

TEST(Listing, SaysWhereItEnds) {
    Listing cut{.path = "/", .entries = {}, .total = 1'000'000, .cut = true};
    EXPECT_THAT(listing_as_html(cut), HasSubstr("This folder has more than 1,000,000 entries."));
    EXPECT_THAT(listing_as_json(cut), HasSubstr("\"complete\":false"));
}

TEST(ListingPage, NoNameCanBecomeMarkup) {
    const TemporaryTree tree;
    tree.write("<img src=x onerror=alert(1)>\"'&.txt", "x");
    tree.directory("<b>");
    const std::string page = listing_as_html(listing_of(tree));
    EXPECT_THAT(page, Not(HasSubstr("<img")));
    EXPECT_THAT(page, Not(HasSubstr("<b>")));
    EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;.txt"));
    EXPECT_THAT(page, HasSubstr("href=\"./%3Cb%3E/\""));
}

TEST(ListingPage, LinksLeadToThePathsAndSurviveColons) {
    const TemporaryTree tree;
    tree.write("docs/javascript:alert(1)", "x");
    tree.write("docs/a b%41.txt", "x");
    const std::string page = listing_as_html(listing_of(tree, "docs"));
    EXPECT_THAT(page, HasSubstr("href=\"./javascript:alert(1)\""));
    EXPECT_THAT(page, HasSubstr("href=\"./a%20b%2541.txt\""));
    EXPECT_THAT(
        page,
        HasSubstr("<a href=\"../\">Home</a> /</nav>\n<h1><a href=\"./\"><bdi>docs</bdi></a></h1>"));
}

TEST(ListingPage, HostileNamesStayNames) {
    Listing listing{.path = "/<i>/", .entries = {}};
    for (const std::string_view name :
         {"\" onclick=alert(1) \"", "</script><script>alert(1)</script>", "a\nb?c#d%41&e",
          "\xff\xfe\"", "..", "...", "..\\x"})
        listing.entries.push_back({.name = std::string{name}});
    listing.readme = Readme{.name = "README", .text = "</pre><script>alert(1)</script>"};
    const std::string page = listing_as_html(listing);
    EXPECT_EQ(count(page, "<script>"), 1u) << "the page's own";
    EXPECT_EQ(count(page, "</pre>"), 1u);
    EXPECT_THAT(page, Not(HasSubstr("<i>")));
    EXPECT_THAT(page, Not(HasSubstr("\" onclick")));
    EXPECT_THAT(page, HasSubstr("href=\"./a%0Ab%3Fc%23d%2541%26e\""));
    EXPECT_THAT(page, HasSubstr("href=\"./%FF%FE%22\""));
    EXPECT_THAT(page, HasSubstr("href=\"./..%5Cx\""));
}

TEST(ListingPage, LeadsUpFromAllButTheRoot) {
    const auto page = [](const char* path) {
        return listing_as_html({.path = path, .entries = {}});
    };
    EXPECT_THAT(page("/"), Not(HasSubstr("class=\"up\"")));
    EXPECT_THAT(page("/"), HasSubstr("<h1><a href=\"./\">Home</a></h1>"));
    EXPECT_THAT(page("/"), Not(HasSubstr("class=\"trail\"")));
    for (const char* const path : {"/a/", "/a/b c/d/"}) {
        EXPECT_THAT(page(path), HasSubstr("<tr class=\"up\"><td><a href=\"../\">"));
        EXPECT_THAT(page(path), HasSubstr("../ (parent folder)</a>"));
    }
    EXPECT_THAT(
        page("/a/b c/d/"),
        HasSubstr(
            "<a href=\"../../../\">Home</a> / <a href=\"../../\"><bdi>a</bdi></a> / "
            "<a href=\"../\"><bdi>b c</bdi></a> /</nav>\n<h1><a href=\"./\"><bdi>d</bdi></a></h1>"));
}

TEST(ListingPage, SaysHowMuchThereIs) {
    Listing listing{.path = "/", .entries = {}};
    EXPECT_THAT(listing_as_html(listing), HasSubstr("<p class=\"summary\">This folder is empty.<"));
    listing.entries = {{.name = "a", .is_directory = true, .size = 4096}, {.name = "b", .size = 1}};
    EXPECT_THAT(listing_as_html(listing), HasSubstr(">1 folder, 1 file, 1 B<"));
    listing.entries.push_back({.name = "c", .size = 2'000});
    EXPECT_THAT(listing_as_html(listing), HasSubstr(">1 folder, 2 files, 2.0 KB<"));
    listing.pages = 12;
    listing.total = 10'500;
    EXPECT_THAT(listing_as_html(listing),
                HasSubstr(">10,500 entries; on this page: 1 folder, 2 files, 2.0 KB<"));
}

TEST(ListingPage, SaysTheSizeOfAllPagesIfItWasLookedAt) {
    const TemporaryTree tree;
    tree.directory("a");
    for (int i = 0; i < 3; ++i) tree.write("f" + std::to_string(i), std::string(1000, 'x'));
    const auto page_sorted_by = [&](ListingOrder::By by) {
        return listing_as_html(listing_of(tree, "", false, {.order = {.by = by}}, 2));
    };
    for (const auto by : {ListingOrder::By::size, ListingOrder::By::time})
        EXPECT_THAT(page_sorted_by(by), HasSubstr(">4 entries, 3.0 KB; on this page: 1 folder, 1"));
    EXPECT_THAT(page_sorted_by(ListingOrder::By::name), HasSubstr(">4 entries; on this page: "));
}

TEST(ListingPage, HasAnIconForEachKind) {
    const TemporaryTree tree;
    tree.directory("d");
    for (const char* const name : {"p.png", "t.txt", "a.mp3", "v.mp4", "z.zip", "f", "x.own"})
        tree.write(name, "x");
    const Listing listing = listing_of(tree);
    std::vector<std::string_view> icons;
    for (const auto& entry : listing.entries) icons.push_back(icon_of(entry.kind));
    EXPECT_THAT(icons, testing::ElementsAre("folder", "audio", "file", "image", "text", "video",
                                            "audio", "archive"));
    const std::string page = listing_as_html(listing);
    for (const std::string_view icon : icons) {
        EXPECT_THAT(page, HasSubstr("<use href=\"#" + std::string{icon} + "\"/>"));
        EXPECT_EQ(count(page, "<symbol id=\"" + std::string{icon} + "\""), 1u);
    }
}

TEST(ListingPage, IsAGridIfAskedTo) {
    Listing listing{.path = "/a/", .query = {.grid = true}};
    listing.entries = {{.name = "b c.png", .kind = EntryKind::picture, .size = 1},
                       {.name = "d", .is_directory = true, .kind = EntryKind::folder},
                       {.name = "e.tiff", .kind = EntryKind::image}};
    const std::string page = listing_as_html(listing);
    EXPECT_THAT(page, Not(HasSubstr("<table>")));
    EXPECT_THAT(page, HasSubstr("<li class=\"up\"><a href=\"../\">"));
    EXPECT_THAT(page, HasSubstr("<a href=\"./b%20c.png\"><img src=\"./b%20c.png\" alt=\"\" "
                                "loading=\"lazy\" decoding=\"async\"><bdi>b c.png</bdi></a>"));
    EXPECT_EQ(count(page, "<img"), 1u) << "browsers do not show a TIFF";
    EXPECT_THAT(page, HasSubstr("<a href=\"?sort=size&amp;order=desc&amp;view=grid\">"));
    EXPECT_THAT(page, HasSubstr("<a href=\"?view=grid&amp;page=1\" aria-current=\"true\">Grid"));
    EXPECT_THAT(page, HasSubstr("<a href=\"?page=1\">List</a>"));
}

TEST(ListingPage, HeadingsSortAndSayHowItIsSorted) {
    using By = ListingOrder::By;
    const auto page = [](By by, bool descending) {
        return listing_as_html(
            {.path = "/", .query = {.order = {.by = by, .descending = descending}}});
    };
    EXPECT_THAT(page(By::name, false),
                HasSubstr("aria-sort=\"ascending\"><a href=\"?sort=name&amp;order=desc\">"));
    EXPECT_THAT(page(By::name, false), HasSubstr("<a href=\"?sort=size&amp;order=desc\">"));
    EXPECT_THAT(page(By::size, true),
                HasSubstr("aria-sort=\"descending\"><a href=\"?sort=size&amp;order=asc\">"));
    EXPECT_THAT(page(By::size, true), HasSubstr("<a href=\"?sort=name&amp;order=asc\">"));
    EXPECT_EQ(count(page(By::time, false), "aria-sort=\""), 1u);
}

TEST(ListingPage, SizesAndDates) {
    const TemporaryTree tree;
    tree.write("small", std::string(734, 'x'));
    tree.write("medium", std::string(1234, 'x'));
    tree.write("large", std::string(37'500, 'x'));
    tree.set_modified("small", 784'111'777);
    const std::string page = listing_as_html(listing_of(tree));
    EXPECT_THAT(page, HasSubstr(">734 B<"));
    EXPECT_THAT(page, HasSubstr("title=\"1234 bytes\">1.2 KB<"));
    EXPECT_THAT(page, HasSubstr(">37 KB<"));
    EXPECT_THAT(page, HasSubstr("<time datetime=\"1994-11-06T08:49:37Z\">1994-11-06 08:49</time>"));
}

TEST(ListingPage, KnowsDarkAndLight) {
    const std::string page = listing_as_html({.path = "/", .entries = {}});
    EXPECT_THAT(page, HasSubstr("content=\"light dark\""));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
    EXPECT_THAT(page, HasSubstr(":focus-visible"));
}

TEST(ListingPage, HasTheColoursThatItIsTold) {
    const std::string light = listing_as_html({.path = "/", .theme = ListingTheme::light});
    EXPECT_THAT(light, HasSubstr("<html lang=\"en\" data-theme=\"light\">"));
    EXPECT_THAT(light, HasSubstr("content=\"light\">"));
    const std::string dark = listing_as_html({.path = "/", .theme = ListingTheme::dark});
    EXPECT_THAT(dark, HasSubstr("content=\"dark\">"));
    EXPECT_THAT(dark, HasSubstr("<html lang=\"en\" data-theme=\"dark\">"));
    EXPECT_THAT(listing_as_html({.path = "/"}), HasSubstr("<html lang=\"en\">"));
}

TEST(ListingPage, HasTheTitleThatItIsTold) {
    EXPECT_THAT(listing_as_html({.path = "/a/"}),
                AllOf(HasSubstr("<title>Index of /a/</title>"), HasSubstr(">Home</a>")));
    const std::string page = listing_as_html({.path = "/a/", .title = "Us & <them>"});
    EXPECT_THAT(page, HasSubstr("<title>Us &amp; &lt;them&gt;: /a/</title>"));
    EXPECT_THAT(page, HasSubstr("<bdi>Us &amp; &lt;them&gt;</bdi></a>"));
    EXPECT_THAT(page, Not(AnyOf(HasSubstr("<them>"), HasSubstr("Home"))));
}

TEST(ListingPage, HasAFormWhereFilesAreTaken) {
    EXPECT_THAT(listing_as_html({.path = "/a/"}), Not(HasSubstr("uploads")));
    const std::string page = listing_as_html({.path = "/a/", .uploads = true});
    EXPECT_THAT(page, HasSubstr("<form id=\"uploads\" method=\"post\" "
                                "enctype=\"multipart/form-data\">"));
    EXPECT_THAT(page, HasSubstr("<input id=\"files\" type=\"file\" name=\"file\" multiple"));
}

TEST(ListingJson, OneObjectAnEntry) {
    const TemporaryTree tree;
    tree.write("d/quote\"\n.txt", "12345");
    tree.set_modified("d/quote\"\n.txt", 784'111'777);
    tree.directory("d/sub");
    const std::string json = listing_as_json(listing_of(tree, "d"));
    EXPECT_THAT(json,
                HasSubstr("{\"path\":\"/d/\",\"complete\":true,\"total\":2,\"page\":1,\"pages\":1,"
                          "\"entries\":["));
    EXPECT_THAT(json,
                HasSubstr("{\"name\":\"quote\\\"\\u000a.txt\",\"href\":\"./quote%22%0A.txt\","
                          "\"type\":\"file\",\"size\":5,\"modified\":\"1994-11-06T08:49:37Z\"}"));
    EXPECT_THAT(json, HasSubstr("{\"name\":\"sub\",\"href\":\"./sub/\",\"type\":\"directory\","));
}

TEST(ListingJson, WhatIsNotUtf8IsReplaced) {
    std::string out;
    append_json(out, "\xC3\xA4\xF0\x9F\x98\x80");
    EXPECT_EQ(out, "\"\xC3\xA4\xF0\x9F\x98\x80\"");
    out.clear();
    append_json(out, "a\xFF\xC3(\xED\xA0\x80\xC0\xAF");
    EXPECT_EQ(out,
              "\"a\xEF\xBF\xBD\xEF\xBF\xBD("
              "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
              "\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

bool json_for(const std::vector<std::string>& fields) {
    return prefers_json(TestRequest{"GET /", fields}.get());
}

TEST(ListingAccept, JsonWhereItIsWantedMore) {
    EXPECT_TRUE(json_for({"Accept: application/json"}));
    EXPECT_TRUE(json_for({"Accept: text/html;q=0.5, application/json"}));
    EXPECT_TRUE(json_for({"Accept: application/json, */*;q=0.1"}));
    EXPECT_TRUE(json_for({"Accept: application/*"}));
    EXPECT_FALSE(json_for({}));
    EXPECT_FALSE(json_for({"Accept: */*"}));
    EXPECT_FALSE(json_for({"Accept: text/html,application/xhtml+xml,*/*;q=0.8"}));
    EXPECT_FALSE(json_for({"Accept: application/json;q=0.1, text/*;q=0.2"}));
    EXPECT_FALSE(json_for({"Accept: application/json, text/html"})) << "alike: a page";
    EXPECT_FALSE(json_for({"Accept: application/json;q=0"}));
}

}  // namespace
}  // namespace weir::site
