#include "weir/web/response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "support/temporary_path.h"
#include "weir/web/probe.h"
#include "weir/web/refusal.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

template <typename Make>
Probe::Answer sent(Make make) {
    Router router;
    router.get("/", [make] { return make(); });
    return Probe{router}.get("/");
}

TEST(Responses, HaveTheirMediaTypes) {
    EXPECT_EQ(sent([] { return text("a"); }).field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(sent([] { return html("a"); }).field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(sent([] { return json_text("{}"); }).field("Content-Type"), "application/json");
    EXPECT_EQ(sent([] { return json_view("{}"); }).content, "{}");
    EXPECT_EQ(sent([] { return text_view("a"); }).field("Content-Type"),
              "text/plain; charset=utf-8");
    EXPECT_EQ(sent([] { return content("image/png", "a"); }).field("Content-Type"), "image/png");
    EXPECT_EQ(sent([] { return text("a", Status::created); }).status, 201u);
    EXPECT_THROW(content("a\r\nb", ""), std::invalid_argument);
}

TEST(Responses, Problems) {
    const auto answer = sent([] {
        return problem({.status = Status::forbidden,
                        .title = "Not \"enough\" credit",
                        .detail = "a\nb",
                        .type = "https://example.com/credit",
                        .members = "\"balance\": 30"});
    });
    EXPECT_EQ(answer.status, 403u);
    EXPECT_EQ(answer.field("Content-Type"), "application/problem+json");
    EXPECT_EQ(answer.content,
              "{\"status\": 403, \"title\": \"Not \\\"enough\\\" credit\", \"detail\": "
              "\"a\\u000ab\", \"type\": \"https://example.com/credit\", \"balance\": 30}\n");
    EXPECT_EQ(sent([] { return problem({.status = Status::not_found}); }).content,
              "{\"status\": 404, \"title\": \"Not Found\"}\n");
}

TEST(Responses, ProblemsAreUtf8WhateverTheyQuote) {
    const auto answer = sent(
        [] { return problem({.status = Status::not_found, .detail = "no \xc3\xbcser \xff"}); });
    EXPECT_EQ(answer.content,
              "{\"status\": 404, \"title\": \"Not Found\", \"detail\": "
              "\"no \xc3\xbcser \xef\xbf\xbd\"}\n");
}

TEST(Responses, HaveOneContentType) {
    const auto answer = sent(
        [] { return json_text("{}").add("X", "1").add("Content-Type", "application/geo+json"); });
    EXPECT_EQ(std::ranges::count(answer.fields, "Content-Type", &Probe::Fields::value_type::first),
              1);
    EXPECT_EQ(answer.field("Content-Type"), "application/geo+json");
    EXPECT_THROW(problem({.status = static_cast<Status>(42)}), std::invalid_argument);
    EXPECT_THROW((Refusal{static_cast<Status>(100), ""}), std::invalid_argument);
}

TEST(Responses, Redirects) {
    const auto answer = sent([] { return redirect("/other"); });
    EXPECT_EQ(answer.status, 303u);
    EXPECT_EQ(answer.field("Location"), "/other");
    EXPECT_EQ(redirect("/a\r\nSet-Cookie: b").own_fields(),
              "Location: /a%0D%0ASet-Cookie:%20b\r\n");
}

TEST(Responses, Cookies) {
    const auto line = [](const Cookie& cookie) {
        Response response;
        set_cookie(response, cookie);
        return std::string{response.own_fields()};
    };
    EXPECT_EQ(line({.name = "a", .value = "b"}),
              "Set-Cookie: a=b; Path=/; Secure; HttpOnly; SameSite=Lax\r\n");
    EXPECT_EQ(line({.name = "a",
                    .path = "",
                    .domain = "example.org",
                    .max_age = 10s,
                    .secure = false,
                    .http_only = false,
                    .same_site = Cookie::SameSite::strict}),
              "Set-Cookie: a=; Domain=example.org; Max-Age=10; SameSite=Strict\r\n");
    EXPECT_THROW(line({.name = "a b"}), std::invalid_argument);
    EXPECT_THROW(line({.name = "a", .value = "b; Domain=c"}), std::invalid_argument);
    EXPECT_THROW(line({.name = "a", .path = "/;"}), std::invalid_argument);
    EXPECT_THROW(line({.name = "a", .secure = false, .same_site = Cookie::SameSite::none}),
                 std::invalid_argument);
}

TEST(Responses, Files) {
    const std::string path = weir::tests::temporary_path("weir_web_file");
    std::ofstream{path} << std::string(100'000, 'x');
    const auto answer = sent([path] { return file(path, "text/plain"); });
    EXPECT_EQ(answer.content, std::string(100'000, 'x'));
    EXPECT_EQ(answer.field("Content-Type"), "text/plain");
    EXPECT_EQ(sent([path] { return file(path + "x", "text/plain"); }).status, 404u);
    EXPECT_EQ(sent([] { return file("/", "text/plain"); }).status, 404u);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace weir::web
