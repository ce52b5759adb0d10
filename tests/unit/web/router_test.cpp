#include "weir/web/router.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "weir/web/probe.h"

namespace weir::web {
namespace {

/// Answers its own name, and the parameters that it has.
auto says(std::string name) {
    return [name](const Call& call) {
        std::string text = name;
        for (const char* const parameter : {"id", "x", "y", "path"})
            if (call.has_parameter(parameter) && !call.parameter(parameter).empty())
                text.append(" ").append(parameter).append("=").append(call.parameter(parameter));
        return web::text(text);
    };
}

struct Routing : ::testing::Test {
    Router router;
    Probe probe{router};

    std::string get(std::string_view target) {
        const auto answer = probe.get(target);
        return answer.status == 200 ? answer.content : std::to_string(answer.status);
    }
    Probe::Answer ask(std::string_view method, std::string_view target) {
        return probe.ask(method, target);
    }
};

TEST_F(Routing, MostSpecificWins) {
    router.get("/users/{id}", says("user"));
    router.get("/users/me", says("me"));
    router.get("/users/{id}/posts/{x}", says("post"));
    router.get("/users/me/posts/{x}", says("my post"));
    router.get("/", says("rest"));
    router.get("/{$}", says("root"));
    router.get("/files/{path...}", says("file"));
    router.get("/files/{x}/info", says("info"));
    EXPECT_EQ(get("/"), "root");
    EXPECT_EQ(get("/users/7"), "user id=7");
    EXPECT_EQ(get("/users/me"), "me");
    EXPECT_EQ(get("/users/7/posts/8"), "post id=7 x=8");
    EXPECT_EQ(get("/users/me/posts/8"), "my post x=8");
    EXPECT_EQ(get("/users/me/other"), "rest");
    EXPECT_EQ(get("/users/"), "rest");
    EXPECT_EQ(get("/files/"), "file");
    EXPECT_EQ(get("/files/a/b.txt"), "file path=a/b.txt");
    EXPECT_EQ(get("/files/a/info"), "info x=a");
    EXPECT_EQ(get("/files/a/info/"), "file path=a/info/");
    EXPECT_EQ(get("/nothing/there?at=all"), "rest");
}

TEST_F(Routing, WithAMethodWinsOverWithout) {
    router.add("/a", says("any"));
    router.get("/a", says("get"));
    router.add("PROPFIND /a", says("propfind"));
    EXPECT_EQ(get("/a"), "get");
    EXPECT_EQ(ask("POST", "/a").content, "any");
    EXPECT_EQ(ask("PROPFIND", "/a").content, "propfind");
    EXPECT_EQ(ask("REPORT", "/a").content, "any");
}

TEST_F(Routing, WithAHostWinsOverWithout) {
    router.get("/{x}", says("all"));
    router.get("api.example.org/{y}", says("api"));
    const auto from = [this](const char* host) {
        return probe.get("/a", {{"Host", host}}).content;
    };
    EXPECT_EQ(from("api.example.org"), "api y=a");
    EXPECT_EQ(from("API.Example.org:8080"), "api y=a");
    EXPECT_EQ(from("example.org"), "all x=a");
    EXPECT_EQ(from("[::1]:80"), "all x=a");
    EXPECT_EQ(probe.get("http://api.example.org/a").content, "api y=a");
}

TEST_F(Routing, ParametersAreDecodedAfterSplitting) {
    router.get("/two/{x}/{y}", says("two"));
    router.get("/files/{path...}", says("file"));
    router.get("/a b", says("literal"));
    EXPECT_EQ(get("/two/a%2Fb/c%20d"), "two x=a/b y=c d");
    EXPECT_EQ(get("/files/%7Euser/x"), "file path=~user/x");
    EXPECT_EQ(get("/a%20b"), "literal");
    EXPECT_EQ(get("/f%69les/x"), "file path=x");
    EXPECT_EQ(get("/two/+/b"), "two x=+ y=b");
}

TEST_F(Routing, NoHandlerSeesAMalformedPath) {
    router.get("/two/{x}/{y}", says("two"));
    router.get("/files/{path...}", says("file"));
    for (const char* const path : {"/two/a/%", "/two/a/%4", "/two/a/%zz", "/two/a/..", "/two/../a",
                                   "/two/a/%2e%2E", "/files/a/../b", "/files/a/%2e", "/files/.."})
        EXPECT_EQ(get(path), "400") << path;
    EXPECT_EQ(get("/files/.a/..b/c..."), "file path=.a/..b/c...");
}

TEST_F(Routing, ConflictThrowsWhereItIsAdded) {
    router.get("/a/{x}", says("one"));
    try {
        router.get("/{x}/b", says("two"));
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string{error.what()}.find("\"GET /{x}/b\" conflicts with \"GET /a/{x}\""),
                  std::string::npos)
            << error.what();
    }
    EXPECT_EQ(get("/a/b"), "one x=b");
    EXPECT_EQ(get("/c/b"), "404");
}

TEST_F(Routing, OtherMethodsGet405WithAllow) {
    router.get("/a", says("get"));
    router.post("/a", says("post"));
    router.put("/b/{x}", says("put"));
    router.patch("/c", says("patch"));
    router.del("/c", says("delete"));
    auto answer = ask("DELETE", "/a");
    EXPECT_EQ(answer.status, 405u);
    EXPECT_EQ(answer.field("Allow"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(ask("GET", "/b/7").field("Allow"), "PUT, OPTIONS");
    EXPECT_EQ(ask("GET", "/c").field("Allow"), "DELETE, PATCH, OPTIONS");
    EXPECT_EQ(ask("GET", "/d").status, 404u);
}

TEST_F(Routing, AnswersOptions) {
    router.get("/a", says("get"));
    router.add("OPTIONS /b", says("own"));
    EXPECT_EQ(ask("OPTIONS", "/a").status, 204u);
    EXPECT_EQ(ask("OPTIONS", "/a").field("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(ask("OPTIONS", "/b").content, "own");
    EXPECT_EQ(ask("OPTIONS", "*").status, 204u);
    EXPECT_EQ(ask("OPTIONS", "/c").status, 404u);
}

TEST_F(Routing, GetAnswersHead) {
    router.get("/a", says("get"));
    router.add("HEAD /b", [] { return Response{}.add("X-Own", "yes"); });
    router.get("/b", says("get"));
    const auto answer = ask("HEAD", "/a");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Length"), "3");
    EXPECT_EQ(ask("HEAD", "/b").field("X-Own"), "yes");
}

TEST_F(Routing, MissingSlashIsARedirect) {
    router.get("/images/", says("images"));
    router.get("/a/{x}/{$}", says("end"));
    const auto answer = probe.get("/images?size=1");
    EXPECT_EQ(answer.status, 308u);
    EXPECT_EQ(answer.field("Location"), "/images/?size=1");
    EXPECT_EQ(get("/a/b"), "308");
    EXPECT_EQ(get("/a/b/"), "end x=b");
    EXPECT_EQ(get("/a"), "404");
    EXPECT_EQ(probe.get("/a/\\evil.example").field("Location"), "/a/%5Cevil.example/");
}

TEST_F(Routing, MissingSlashIsARedirectAlsoWhereTheRestOfAPathMatches) {
    router.get("/{path...}", says("all"));
    router.get("/images/", says("images"));
    router.get("/a/{x}/{$}", says("end"));
    router.get("/exact/", says("folder"));
    router.get("/exact", says("file"));
    const auto answer = probe.get("/images?size=1");
    EXPECT_EQ(answer.status, 308u);
    EXPECT_EQ(answer.field("Location"), "/images/?size=1");
    EXPECT_EQ(ask("HEAD", "/images").status, 308u);
    EXPECT_EQ(get("/a/b"), "308");
    EXPECT_EQ(get("/exact"), "file");
    EXPECT_EQ(get("/images/x"), "images");
    for (const char* path : {"/a", "/other", "/a/b/c"})
        EXPECT_TRUE(get(path).starts_with("all ")) << path;
}

TEST_F(Routing, GroupsShareAPrefix) {
    auto api = router.group("/api/{x}");
    api.get("/users", says("users")).get("/{$}", says("api"));
    api.group("/v2/").get("/users", says("v2"));
    EXPECT_EQ(get("/api/7/users"), "users x=7");
    EXPECT_EQ(get("/api/7/"), "api x=7");
    EXPECT_EQ(get("/api/7/v2/users"), "v2 x=7");
    EXPECT_THROW(router.group("api"), std::invalid_argument);
}

TEST_F(Routing, ManyRoutesAreAllFound) {
    for (int i = 0; i < 1000; ++i) {
        const std::string number = std::to_string(i);
        router.get("/service/" + number + "/items/{id}", says("route " + number));
    }
    for (int i = 0; i < 1000; ++i) {
        const std::string number = std::to_string(i);
        ASSERT_EQ(get("/service/" + number + "/items/x"), "route " + number + " id=x");
    }
    EXPECT_EQ(get("/service/1000/items/x"), "404");
}

}  // namespace
}  // namespace weir::web
