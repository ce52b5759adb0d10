#include <string>
#include <string_view>

#include "webdavs.h"

namespace weir::dav {
namespace {

TEST_F(WebDavs, AllowNameNoMethodThatIsRefused) {
    tree.write("a", "1");
    tree.directory("sub");
    const auto allow = [this](std::string_view method, std::string_view target) {
        return std::string{ask(method, target).field("Allow")};
    };
    EXPECT_THAT(allow("OPTIONS", "/sub/"), HasSubstr("POST"));
    EXPECT_THAT(allow("OPTIONS", "/sub/"), Not(HasSubstr("PUT")));
    EXPECT_THAT(allow("OPTIONS", "/a"), HasSubstr("PUT"));
    EXPECT_THAT(allow("OPTIONS", "/a"), Not(HasSubstr("POST")));
    EXPECT_EQ(status("POST", "/a", {}, "x"), 405u);
    for (const char* const target : {"/sub/", "/a"}) {
        EXPECT_EQ(status("MKCOL", target), 405u);
        EXPECT_THAT(allow("MKCOL", target), HasSubstr("PROPFIND"));
        EXPECT_THAT(allow("MKCOL", target), Not(HasSubstr("MKCOL")));
    }
    for (const char* const target : {"/sub/", "/new/"})
        EXPECT_EQ(status("PUT", target, {}, "x"), 409u);
}

TEST_F(WebDavs, FindNoFileAtTheAddressOfAFolder) {
    tree.write("a", "1");
    EXPECT_EQ(status("DELETE", "/a/"), 404u);
    EXPECT_EQ(status("PROPFIND", "/a/", {{"Depth", "0"}}), 404u);
    EXPECT_EQ(status("PROPPATCH", "/a/", {},
                     "<propertyupdate xmlns='DAV:'><set><prop><x/></prop></set></propertyupdate>"),
              404u);
    EXPECT_EQ(lead("COPY", "/a/", "/b"), 404u);
    EXPECT_EQ(lead("MOVE", "/a/", "/b"), 404u);
    EXPECT_EQ(status("PUT", "/a/", {}, "2"), 409u);
    EXPECT_EQ(lock("/a/"), "");
    EXPECT_EQ(lock("/new/"), "");
    const std::string token = lock("/a");
    EXPECT_EQ(status("LOCK", "/a/", {{"If", "(" + token + ")"}}), 409u);
    EXPECT_EQ(status("UNLOCK", "/a/", {{"Lock-Token", token}}), 409u);
    EXPECT_EQ(status("UNLOCK", "/a", {{"Lock-Token", token}}), 204u);
    EXPECT_EQ(content("a"), "1");
    EXPECT_FALSE(exists("b"));
    EXPECT_FALSE(exists("new"));
}

TEST_F(WebDavs, ReferToFoldersWithASlash) {
    tree.write("a/b/f", "1");
    const std::string wish =
        "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype>"
        "</lockinfo>";
    for (const char* const path : {"/a/b", "/a/b/"}) {
        const auto made = ask("LOCK", path, {{"Depth", "0"}}, wish);
        EXPECT_THAT(made.content, HasSubstr("<D:lockroot><D:href>/a/b/</D:href></D:lockroot>"));
        for (const auto& refused :
             {ask("LOCK", path, {}, wish), ask("PUT", "/a/b/g", {}, "x"), ask("DELETE", "/a/b/f"),
              ask("DELETE", "/a/"), ask("LOCK", "/a", {}, wish)}) {
            EXPECT_THAT(refused.content, HasSubstr("<D:href>/a/b/</D:href>"));
            EXPECT_THAT(refused.content, Not(HasSubstr("<D:href>/a/b</D:href>")));
        }
        const std::string token{made.field("Lock-Token")};
        EXPECT_EQ(status("UNLOCK", path, {{"Lock-Token", token}}), 204u);
    }
    EXPECT_THAT(ask("LOCK", "/a/b/f", {}, wish).content, HasSubstr("<D:href>/a/b/f</D:href>"));
}

TEST_F(WebDavs, DescribeTypesAsTheSiteDoes) {
    tree.write("plain.txt", "text");
    tree.write("latin.txt", "\xe9t\xe9.");
    tree.write("README", "text");
    tree.write("data.unheard", std::string_view{"\0\1", 2});
    tree.write("page.html", "<p>");
    tree.write("picture.png", "x");
    for (const char* const path :
         {"/plain.txt", "/latin.txt", "/README", "/data.unheard", "/page.html", "/picture.png"}) {
        const std::string type{ask("GET", path).field("Content-Type")};
        EXPECT_THAT(ask("PROPFIND", path, {{"Depth", "0"}}).content,
                    HasSubstr("<D:getcontenttype>" + type + "</D:getcontenttype>"))
            << path;
    }
}

TEST_F(WebDavs, KeepTwoFilesOfWhichOneIsCompressed) {
    tree.directory("in");
    dav.folders = {"in"};
    options.precompressed_not_in = {"in"};
    EXPECT_EQ(status("PUT", "/in/dump.sql", {}, "one"), 201u);
    EXPECT_EQ(status("PUT", "/in/dump.sql.gz", {}, "two"), 201u);
    EXPECT_EQ(lead("COPY", "/in/dump.sql.gz", "/in/dump.sql.br"), 201u);
    const auto answer = ask("GET", "/in/dump.sql", {{"Accept-Encoding", "gzip, br"}});
    EXPECT_EQ(answer.content, "one");
    EXPECT_EQ(answer.field("Content-Encoding"), "");
}

}  // namespace
}  // namespace weir::dav
