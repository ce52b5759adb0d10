// Redirects: RFC 9110 15.4, and https://fetch.spec.whatwg.org/#http-redirect-fetch

#include <gtest/gtest.h>

#include "client_fixture.h"

namespace weir::web {
namespace {

using Reason = ClientError::Reason;

struct ClientRedirect : ClientFixture {
    ClientRedirect() {
        router.get("/", [this](Call call) -> Task<Response> {
            ClientRequest request{call.query("method").value_or("GET"),
                                  "http://a/from?" + std::string{call.request().query()}};
            request.field("Authorization", "secret").field("Cookie", "a=b").field("X-Own", "c");
            if (request.method() == "POST") request.content("hello", "text/plain");
            auto response = co_await client->send(std::move(request));
            co_return text(response.url() + "\n" + co_await response.all());
        });
        const auto show = [](const Call& call) {
            std::string seen{call.request().method_text()};
            for (const char* const name : {"Authorization", "Cookie", "X-Own", "Content-Type"})
                if (const auto value = call.field(name)) seen.append(" ").append(*value);
            return text(seen += " " + std::string{call.content()});
        };
        other.get("/to", show).post("/to", show).get("/b/to", show);
        const auto redirect = [](const Call& call) {
            Response response{static_cast<Status>(call.query<unsigned>("status").value_or(302))};
            response.set("Location", call.query("to").value_or("/to"));
            return response;
        };
        other.get("/from", redirect).post("/from", redirect);
    }
};

TEST_F(ClientRedirect, IsFollowed) {
    EXPECT_EQ(probe.get("/").content, "http://a/to\nGET secret a=b c ");
    EXPECT_EQ(probe.get("/?to=b/to%23part").content, "http://a/b/to\nGET secret a=b c ");
}

TEST_F(ClientRedirect, ChangesPostToGetAsBrowsersDo) {
    for (const char* const status : {"301", "302", "303"})
        EXPECT_EQ(probe.get("/?method=POST&status=" + std::string{status}).content,
                  "http://a/to\nGET secret a=b c ")
            << status;
    for (const char* const status : {"307", "308"})
        EXPECT_EQ(probe.get("/?method=POST&status=" + std::string{status}).content,
                  "http://a/to\nPOST secret a=b c text/plain hello")
            << status;
}

TEST_F(ClientRedirect, TakesNoSecretsToAnotherOrigin) {
    EXPECT_EQ(probe.get("/?to=http://a:80/to").content, "http://a:80/to\nGET secret a=b c ");
    EXPECT_EQ(probe.get("/?to=http://b/to").content, "http://b/to\nGET c ");
    EXPECT_EQ(probe.get("/?to=//a:81/to").content, "http://a:81/to\nGET c ");
}

TEST_F(ClientRedirect, HasALimit) {
    EXPECT_EQ(probe.get("/?to=/from").status, 200);
    other.get("/loop", [](const Call&) {
        Response response{Status::found};
        response.set("Location", "/loop");
        return response;
    });
    EXPECT_EQ(probe.get("/?to=/loop").status, 502);
    with({.redirects_max = 0});
    EXPECT_EQ(probe.get("/").content, "http://a/from?\n");
}

TEST_F(ClientRedirect, ToAnotherSchemeIsAnError) {
    for (const std::string to : {"https://a/to", "file:///etc/passwd", "http://user:word@a/"})
        EXPECT_EQ(probe.get("/?to=" + to).status, 502) << to;
}

TEST_F(ClientRedirect, WithoutALocationIsAResponse) {
    other.get("/none", [](const Call&) { return text("none", Status::found); });
    EXPECT_EQ(probe.get("/?to=/none").content, "http://a/none\nnone");
}

}  // namespace
}  // namespace weir::web
