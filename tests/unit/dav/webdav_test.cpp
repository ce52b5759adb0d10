#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webdavs.h"

namespace weir::dav {
namespace {

TEST_F(WebDavs, TellWhatTheyTake) {
    tree.directory("in");
    tree.directory("other");
    dav.folders = {"in"};
    const auto inside = ask("OPTIONS", "/in/a");
    EXPECT_EQ(inside.field("DAV"), "1, 2");
    EXPECT_EQ(inside.field("MS-Author-Via"), "DAV");
    EXPECT_THAT(std::string{inside.field("Allow")}, HasSubstr("UNLOCK"));
    const auto outside = ask("OPTIONS", "/other/a");
    EXPECT_EQ(outside.field("DAV"), "");
    const auto refused = ask("PROPFIND", "/other/", {{"Depth", "0"}});
    EXPECT_EQ(refused.status, 405u);
    EXPECT_EQ(refused.field("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_THAT(refused.fields,
                testing::Contains(testing::Pair(testing::StrCaseEq("Allow"), "POST")));
    EXPECT_THAT(refused.content, HasSubstr("does not support this request method"));
    EXPECT_EQ(status("UNHEARD", "/other/"), 501u);
    EXPECT_EQ(status("UNHEARD", "/in/"), 501u);
    EXPECT_EQ(status("PUT", "/other/a", {}, "x"), 201u);
    EXPECT_EQ(status("PUT", "/other/a", {}, "y"), 409u);
    EXPECT_EQ(status("DELETE", "/other/a"), 405u);
    EXPECT_EQ(lead("MOVE", "/other/a", "/in/a"), 405u);
    EXPECT_EQ(status("PATCH", "/in/a", {}, "x"), 405u);
}

TEST_F(WebDavs, MakeAndRemoveFoldersAndFiles) {
    EXPECT_EQ(status("MKCOL", "/a/"), 201u);
    EXPECT_EQ(status("MKCOL", "/a"), 405u);
    EXPECT_EQ(status("MKCOL", "/none/b"), 409u);
    EXPECT_EQ(status("MKCOL", "/b", {}, "<x/>"), 415u);
    EXPECT_EQ(status("PUT", "/a/f", {}, "1"), 201u);
    EXPECT_EQ(status("PUT", "/a/f", {}, "2"), 204u);
    EXPECT_EQ(status("PUT", "/none/f", {}, "2"), 409u);
    EXPECT_EQ(status("PUT", "/a", {}, "2"), 409u);
    EXPECT_EQ(status("PUT", "/a/", {}, "2"), 409u);
    EXPECT_EQ(content("a/f"), "2");
    EXPECT_EQ(status("DELETE", "/a/", {{"Depth", "0"}}), 400u);
    EXPECT_EQ(status("DELETE", "/a/", {{"If-Match", "\"no\""}}), 412u);
    EXPECT_EQ(status("DELETE", "/a/"), 204u);
    EXPECT_FALSE(exists("a"));
    EXPECT_EQ(status("DELETE", "/a/"), 404u);
}

TEST_F(WebDavs, CopyAndMove) {
    tree.write("a/f", "1");
    tree.write("a/b/g", "2");
    EXPECT_EQ(lead("COPY", "/a/", "/c/"), 201u);
    EXPECT_EQ(content("c/b/g"), "2");
    EXPECT_EQ(lead("COPY", "/a/f", "/c/f", {{"Overwrite", "F"}}), 412u);
    EXPECT_EQ(lead("COPY", "/a/", "/c/", {{"Depth", "0"}}), 204u);
    EXPECT_TRUE(exists("c"));
    EXPECT_FALSE(exists("c/f"));
    EXPECT_EQ(lead("MOVE", "/a/", "/c"), 204u);
    EXPECT_FALSE(exists("a"));
    EXPECT_EQ(content("c/f"), "1");
    EXPECT_EQ(lead("MOVE", "/c/f", "/c/b/g"), 204u);
    EXPECT_EQ(content("c/b/g"), "1");
    EXPECT_EQ(lead("MOVE", "/c/b/g", "/none/g"), 409u);
    EXPECT_EQ(lead("COPY", "/c/", "/c/inside"), 403u);
    EXPECT_EQ(lead("MOVE", "/c/b/", "/c/"), 403u);
    EXPECT_EQ(lead("COPY", "/none", "/d"), 404u);
    EXPECT_EQ(status("COPY", "/c/b/g", {{"Destination", "http://elsewhere/x"}}), 502u);
    EXPECT_EQ(status("COPY", "/c/b/g"), 400u);
}

TEST_F(WebDavs, LeadNowhereOutside) {
    site::TemporaryTree outside;
    outside.write("secret", "s");
    tree.write("in/f", "1");
    tree.write("out/f", "2");
    tree.link("in/away", outside.at(""));
    tree.link("in/link", outside.at("secret"));
    tree.link("in/beside", "f");
    dav.folders = {"in"};
    uploads.folders = {"in"};
    for (const char* const to : {"/out/x", "/x", "/in/../x", "/in/away/x", "/in"})
        EXPECT_GE(lead("COPY", "/in/f", to), 400u) << to;
    for (const char* const of : {"/in/away/", "/in/away/secret", "/in/link", "/in/beside"}) {
        EXPECT_GE(status("PROPFIND", of, {{"Depth", "0"}}), 400u) << of;
        EXPECT_GE(status("DELETE", of), 400u) << of;
        EXPECT_GE(lead("COPY", of, "/in/x"), 400u) << of;
        EXPECT_GE(lead("MOVE", of, "/in/x"), 400u) << of;
        EXPECT_EQ(lock(of), "") << of;
        EXPECT_GE(status("PUT", of, {}, "x"), 400u) << of;
    }
    EXPECT_THAT(ask("PROPFIND", "/in/", {{"Depth", "1"}}).content, Not(HasSubstr("away")));
    EXPECT_EQ(status("DELETE", "/in/"), 403u);
    EXPECT_EQ(lead("MOVE", "/in/", "/in2/"), 403u);
    EXPECT_TRUE(exists("in/beside"));
    EXPECT_TRUE(outside.at("secret").has_filename() && content("out/f") == "2");
    EXPECT_EQ(outside.status("secret").st_size, 1);
}

TEST_F(WebDavs, LeaveAloneWhatIsHidden) {
    tree.write("a/.env", "e");
    tree.write("a/f", "1");
    tree.write("a/x.key", "k");
    tree.write("b/log", "l");
    tree.directory("c");
    options.hidden = {"*.key", "/c/deep"};
    options.withheld = {tree.at("b/log").string()};
    const auto listed = ask("PROPFIND", "/a/", {{"Depth", "1"}}).content;
    EXPECT_THAT(listed, HasSubstr("/a/f<"));
    EXPECT_THAT(listed, Not(testing::ContainsRegex("env|key")));
    for (const char* const of : {"/a/.env", "/a/x.key", "/b/log", "/a/.new", "/a/new.key"}) {
        EXPECT_GE(status("PROPFIND", of, {{"Depth", "0"}}), 400u) << of;
        EXPECT_GE(status("DELETE", of), 400u) << of;
        EXPECT_GE(lead("COPY", of, "/x"), 400u) << of;
        EXPECT_GE(lead("MOVE", of, "/x"), 400u) << of;
        EXPECT_GE(lead("COPY", "/a/f", of), 400u) << of;
        EXPECT_GE(lead("MOVE", "/a/f", of), 400u) << of;
        EXPECT_GE(status("MKCOL", of), 400u) << of;
        EXPECT_EQ(lock(of), "") << of;
    }
    EXPECT_GE(lead("MOVE", "/a/f", "/b/log.1"), 400u);
    EXPECT_EQ(status("MKCOL", "/b/log.1"), 403u);
    EXPECT_EQ(lead("COPY", "/c/", "/b/log.1"), 403u);
    EXPECT_FALSE(exists("b/log.1"));
    EXPECT_EQ(status("DELETE", "/a/"), 403u);
    EXPECT_EQ(status("DELETE", "/b/"), 403u);
    EXPECT_EQ(lead("MOVE", "/a/", "/d/"), 403u);
    EXPECT_EQ(lead("COPY", "/a/", "/d/"), 201u);
    EXPECT_EQ(content("d/f"), "1");
    EXPECT_FALSE(exists("d/.env"));
    EXPECT_FALSE(exists("d/x.key"));
    EXPECT_EQ(lead("COPY", "/d/", "/c/deep"), 403u);
    EXPECT_EQ(content("b/log"), "l");
    EXPECT_EQ(content("a/.env"), "e");
}

TEST_F(WebDavs, RespectRulesOfPaths) {
    tree.write("a/open", "1");
    tree.write("a/kept", "2");
    tree.directory("b");
    options.leaves_out = [](const site::Candidate& one) { return one.path.ends_with("kept"); };
    EXPECT_EQ(status("PROPFIND", "/a", {{"Depth", "1"}}), 403u);
    EXPECT_THAT(ask("PROPFIND", "/a/", {{"Depth", "1"}}).content, Not(HasSubstr("kept")));
    EXPECT_EQ(status("DELETE", "/a/"), 403u);
    EXPECT_EQ(lead("MOVE", "/a/", "/b/a/"), 403u);
    EXPECT_EQ(lead("COPY", "/a/", "/b/a/"), 201u);
    EXPECT_TRUE(exists("b/a/open"));
    EXPECT_FALSE(exists("b/a/kept"));
    EXPECT_EQ(lead("COPY", "/a/open", "/b/kept"), 403u);
    EXPECT_EQ(lead("MOVE", "/a/open", "/a/kept"), 403u);
    EXPECT_EQ(lead("COPY", "/a/kept", "/b/x"), 403u);
}

TEST_F(WebDavs, MakeNothingThatCouldBeExecuted) {
    tree.write("script", "#!/bin/sh");
    ::chmod(tree.at("script").c_str(), 0755);
    const mode_t before = ::umask(0);
    EXPECT_EQ(lead("COPY", "/script", "/copy"), 201u);
    EXPECT_EQ(status("PUT", "/script", {}, "#!/bin/sh"), 204u);
    EXPECT_EQ(status("MKCOL", "/folder"), 201u);
    ::umask(before);
    EXPECT_EQ(tree.status("copy").st_mode & 07777u, 0644u);
    EXPECT_EQ(tree.status("script").st_mode & 07777u, 0644u);
    EXPECT_EQ(tree.status("folder").st_mode & 07777u, 0755u);
}

TEST_F(WebDavs, AreLimitedAsUploads) {
    tree.write("a/f", std::string(600, 'x'));
    uploads.file_bytes_max = 1000;
    uploads.quota_bytes = 1500;
    EXPECT_EQ(status("PUT", "/b", {}, std::string(901, 'x')), 507u);
    EXPECT_EQ(lead("COPY", "/a/f", "/b"), 201u);
    EXPECT_EQ(lead("COPY", "/a/f", "/c"), 507u);
    EXPECT_EQ(lead("COPY", "/a/", "/c/"), 207u);
    EXPECT_FALSE(exists("c/f"));
    EXPECT_EQ(lead("MOVE", "/b", "/c/f"), 201u);
}

TEST_F(WebDavs, LimitTheirXml) {
    EXPECT_EQ(status("PROPFIND", "/", {{"Depth", "0"}}, std::string(70'000, 'x')), 413u);
    EXPECT_EQ(status("PROPFIND", "/", {{"Depth", "0"}}, "<!DOCTYPE a><a/>"), 400u);
    EXPECT_EQ(status("PROPFIND", "/", {{"Depth", "2"}}), 400u);
    const auto infinite = ask("PROPFIND", "/");
    EXPECT_EQ(infinite.status, 403u);
    EXPECT_THAT(infinite.content, HasSubstr("<D:propfind-finite-depth/>"));
}

/// A short request asks for a long answer: each member has all properties, with their namespace.
TEST_F(WebDavs, LimitTheAnswerToPropfind) {
    for (int i = 0; i < 40; ++i) tree.write("a/" + std::to_string(i), "");
    std::string names;
    for (int i = 0; i < 1900; ++i) names += "<n:p" + std::to_string(i) + "/>";
    const std::string body = "<propfind xmlns='DAV:' xmlns:n='" + std::string(900, 'u') +
                             "'><prop>" + names + "</prop></propfind>";
    EXPECT_EQ(status("PROPFIND", "/a/", {{"Depth", "0"}}, body), 207u);
    EXPECT_EQ(status("PROPFIND", "/a/", {{"Depth", "1"}}, body), 507u);
}

TEST_F(WebDavs, KeepProperties) {
    if (!has_attributes()) GTEST_SKIP() << "the file system has no extended attributes";
    tree.write("a/f", "1");
    const std::string set =
        "<propertyupdate xmlns='DAV:'><set><prop><x xmlns='u'>&lt;1&gt;</x></prop></set></propertyupdate>";
    EXPECT_THAT(ask("PROPPATCH", "/a/f", {}, set).content, HasSubstr("200 OK"));
    const auto has_it = [this](std::string_view target) {
        const auto answer = ask("PROPFIND", target, {{"Depth", "0"}},
                                "<propfind xmlns='DAV:'><prop><x xmlns='u'/></prop></propfind>");
        return answer.content.contains("<x xmlns=\"u\">&lt;1&gt;</x>");
    };
    EXPECT_TRUE(has_it("/a/f"));
    EXPECT_EQ(status("PUT", "/a/f", {}, "2"), 204u);
    EXPECT_TRUE(has_it("/a/f"));
    EXPECT_EQ(lead("COPY", "/a/", "/b/"), 201u);
    EXPECT_TRUE(has_it("/b/f"));
    EXPECT_EQ(lead("MOVE", "/b/f", "/g"), 201u);
    EXPECT_TRUE(has_it("/g"));
    const auto mixed =
        ask("PROPPATCH", "/g", {},
            "<propertyupdate xmlns='DAV:'><remove><prop><x xmlns='u'/></prop></remove>"
            "<set><prop><getetag>x</getetag></prop></set></propertyupdate>");
    EXPECT_THAT(mixed.content, HasSubstr("<D:cannot-modify-protected-property/>"));
    EXPECT_THAT(mixed.content, HasSubstr("424"));
    EXPECT_TRUE(has_it("/g"));
    std::string long_one = set;
    long_one.replace(long_one.find("&lt;"), 4, std::string(5000, 'x'));
    EXPECT_THAT(ask("PROPPATCH", "/g", {}, long_one).content, HasSubstr("507"));
    EXPECT_TRUE(has_it("/g"));
}

TEST_F(WebDavs, DescribeFiles) {
    options.tags_from = site::TagsFrom::content;
    tree.write("a b/f&.txt", "12345");
    const auto answer = ask("PROPFIND", "/a%20b/", {{"Depth", "1"}});
    EXPECT_EQ(answer.status, 207u);
    for (const char* const part :
         {"<D:href>/a%20b/</D:href>", "<D:collection/>", "<D:getcontentlength>5<",
          "<D:href>/a%20b/f%26.txt</D:href>", "<D:getcontenttype>text/plain", "<D:getlastmodified>",
          "<D:supportedlock><D:lockentry>"})
        EXPECT_THAT(answer.content, HasSubstr(part));
    const auto file = ask("GET", "/a%20b/f&.txt");
    const std::string tag{file.field("ETag")};
    EXPECT_EQ(status("PROPFIND", "/a%20b/f&.txt", {{"Depth", "0"}, {"If", "([" + tag + "])"}}),
              207u);
    EXPECT_EQ(status("PROPFIND", "/a%20b/f&.txt", {{"Depth", "0"}, {"If", "([\"no\"])"}}), 412u);
    EXPECT_EQ(status("PROPFIND", "/a%20b/f&.txt", {{"Depth", "0"}, {"If", "([\"no\""}}), 400u);
}

TEST_F(WebDavs, KeepOthersFromWhatIsLocked) {
    tree.write("a/f", "1");
    tree.write("g", "2");
    const std::string token = lock("/a/f");
    ASSERT_THAT(token, testing::StartsWith("<urn:uuid:"));
    const auto refused = ask("PUT", "/a/f", {}, "x");
    EXPECT_EQ(refused.status, 423u);
    EXPECT_THAT(refused.content, HasSubstr("<D:lock-token-submitted><D:href>/a/f</D:href>"));
    for (const char* const method : {"DELETE", "PROPPATCH"})
        EXPECT_EQ(
            status(method, "/a/f", {},
                   "<propertyupdate xmlns='DAV:'><set><prop><x/></prop></set></propertyupdate>"),
            423u);
    EXPECT_EQ(lead("MOVE", "/a/f", "/h"), 423u);
    EXPECT_EQ(lead("COPY", "/g", "/a/f"), 423u);
    EXPECT_EQ(lead("MOVE", "/g", "/a/f"), 423u);
    EXPECT_EQ(status("DELETE", "/a/"), 207u);
    EXPECT_EQ(lead("MOVE", "/a/", "/b/"), 207u);
    EXPECT_EQ(lead("COPY", "/a/f", "/h"), 201u);
    EXPECT_EQ(lock("/a/f"), "");
    EXPECT_EQ(lock("/a/"), "");
    EXPECT_EQ(content("a/f"), "1");
    const Fields with_token{{"If", "(" + token + ")"}};
    EXPECT_EQ(status("PUT", "/a/f", with_token, "3"), 204u);
    EXPECT_EQ(status("UNLOCK", "/g", {{"Lock-Token", token}}), 409u);
    EXPECT_EQ(status("UNLOCK", "/a/f", {{"Lock-Token", token}}), 204u);
    EXPECT_EQ(status("PUT", "/a/f", with_token, "4"), 412u);
    EXPECT_EQ(status("PUT", "/a/f", {}, "4"), 204u);
}

TEST_F(WebDavs, KeepFormsFromWhatIsLocked) {
    uploads.overwrites = true;
    tree.write("f", "1");
    const std::string token = lock("/f");
    const std::string form =
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n2\r\n--x--\r\n";
    const Fields fields{{"Content-Type", "multipart/form-data; boundary=x"}};
    EXPECT_EQ(status("POST", "/", fields, form), 423u);
    EXPECT_EQ(status("UNLOCK", "/f", {{"Lock-Token", token}}), 204u);
    EXPECT_EQ(status("POST", "/", fields, form), 303u);
    EXPECT_EQ(content("f"), "2");
}

TEST_F(WebDavs, LockNamesThatAreFree) {
    tree.directory("a");
    const std::string token = lock("/a/new");
    EXPECT_EQ(content("a/new"), "");
    EXPECT_EQ(status("PUT", "/a/new", {}, "x"), 423u);
    EXPECT_EQ(lock("/none/new"), "");
    const std::string folder = lock("/a/", "exclusive", {{"Depth", "0"}});
    EXPECT_EQ(status("PUT", "/a/other", {}, "x"), 423u);
    EXPECT_EQ(status("PUT", "/a/other", {{"If", "</a/> (" + folder + ")"}}, "x"), 201u);
    EXPECT_EQ(status("DELETE", "/a/", {{"If", "</a/> (" + folder + ") </a/new> (" + token + ")"}}),
              204u);
    EXPECT_EQ(status("UNLOCK", "/a/", {{"Lock-Token", folder}}), 409u);
}

TEST_F(WebDavs, ShareLocks) {
    tree.write("f", "1");
    const std::string one = lock("/f", "shared"), other = lock("/f", "shared");
    EXPECT_NE(one, "");
    EXPECT_NE(other, "");
    EXPECT_EQ(lock("/f"), "");
    EXPECT_EQ(status("PUT", "/f", {}, "x"), 423u);
    EXPECT_EQ(status("PUT", "/f", {{"If", "(" + other + ")"}}, "x"), 204u);
}

TEST_F(WebDavs, RefreshLocks) {
    tree.write("f", "1");
    const std::string token = lock("/f", "exclusive", {{"Timeout", "Second-100"}});
    const auto answer = ask("LOCK", "/f", {{"If", "(" + token + ")"}, {"Timeout", "Second-200"}});
    EXPECT_EQ(answer.status, 200u);
    EXPECT_THAT(answer.content, HasSubstr("<D:timeout>Second-200</D:timeout>"));
    EXPECT_EQ(status("LOCK", "/f"), 400u);
    EXPECT_EQ(status("LOCK", "/f", {{"If", "(<urn:uuid:1>)"}}), 412u);
}

TEST_F(WebDavs, AskTheGuardBeforeAllButOptions) {
    struct Guard final : http::Handler {
        http::Reply handle(const http::Request&) override {
            return http::error_response(http::Status::unauthorized);
        }
    };
    tree.write("f", "1");
    uploads.guard = [](http::Handler&) -> upload::Guarded { return std::make_unique<Guard>(); };
    for (const char* const method :
         {"PROPFIND", "PROPPATCH", "MKCOL", "PUT", "DELETE", "COPY", "MOVE", "LOCK", "UNLOCK"})
        EXPECT_EQ(status(method, "/f", {{"Depth", "0"}}), 401u) << method;
    for (const char* const target : {"/", "/.", "/a/..", "//", "/%2e"})
        EXPECT_EQ(status("POST", target, {}, "x"), 401u) << target;
    EXPECT_EQ(status("GET", "/f"), 200u);
    EXPECT_EQ(status("OPTIONS", "/f"), 204u);
}

TEST_F(WebDavs, RefusePagesOfOtherOrigins) {
    tree.write("f", "1");
    EXPECT_EQ(status("DELETE", "/f", {{"Origin", "http://evil"}}), 403u);
    EXPECT_EQ(status("DELETE", "/f", {{"Sec-Fetch-Site", "cross-site"}}), 403u);
    EXPECT_TRUE(exists("f"));
}

TEST_F(WebDavs, NeedAFolderOfUploads) {
    tree.directory("in");
    tree.directory("out");
    uploads.folders = {"in"};
    dav.folders = {"out"};
    const auto site = std::move(*site::Site::open(options));
    const auto made = around(*site, options, uploads, dav);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error(), "the folder '/out' takes no uploads");
}

}  // namespace
}  // namespace weir::dav
