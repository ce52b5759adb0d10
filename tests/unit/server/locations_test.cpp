// A property of every Location that weir makes: a browser that follows it stays on the host, whatever
// the peer has asked for.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/answer/location.h"
#include "server/entrance/secure_handler.h"
#include "unit/site/temporary_tree.h"
#include "weir/site/site.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::server {
namespace {

/// Without what a browser drops from a reference (URL Standard 4.4, "basic URL parser").
std::string as_a_browser_reads(std::string_view location) {
    std::string text{location};
    const auto is_dropped_at_the_ends = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && is_dropped_at_the_ends(text.front())) text.erase(0, 1);
    while (!text.empty() && is_dropped_at_the_ends(text.back())) text.pop_back();
    std::erase_if(text, [](char c) { return c == '\t' || c == '\r' || c == '\n'; });
    for (char& c : text)
        if (c == '\\') c = '/';
    return text;
}

/// It has neither a scheme nor an authority.
bool stays_on_the_host(std::string_view location) {
    const std::string text = as_a_browser_reads(location);
    const std::size_t colon = text.find(':');
    return !text.starts_with("//") && (colon == text.npos || colon > text.find_first_of("/?#"));
}

/// All texts of up to four of these pieces.
std::vector<std::string> hostile_texts(const std::vector<std::string>& pieces) {
    std::vector<std::string> texts{""};
    for (std::size_t begin = 0, length = 0; length < 4; ++length) {
        const std::size_t end = texts.size();
        for (; begin < end; ++begin)
            for (const std::string& piece : pieces) texts.push_back(texts[begin] + piece);
    }
    return texts;
}

const std::vector<std::string> of_a_target{
    "/", "\\", "evil.example", "a:", "..", "%09", "%5C", "?"};

/// How many of the hostile paths `handler` redirects; each of them stays on the host.
int redirects_of(http::Handler& handler, const std::string& begin = "/") {
    web::Probe probe{handler};
    int redirects = 0;
    for (const std::string& text : hostile_texts(of_a_target)) {
        const auto answer = probe.get(begin + text);
        if (answer.status / 100 != 3) continue;
        ++redirects;
        EXPECT_TRUE(stays_on_the_host(answer.field("Location")))
            << begin << text << " leads to " << answer.field("Location");
        EXPECT_EQ(answer.field("Location"), http::location_from(answer.field("Location")));
    }
    return redirects;
}

TEST(Locations, OfARouterStayOnTheHost) {
    web::Router inner;
    inner.get("/{x}/", [] { return web::text("x"); });
    inner.get("/a/{x}/{y}/{$}", [] { return web::text("y"); });
    EXPECT_GT(redirects_of(inner), 100);
    web::Router router;
    router.mount("/in", inner);
    EXPECT_GT(redirects_of(router, "/in/"), 100);
}

TEST(Locations, OfASiteStayOnTheHost) {
    const site::TemporaryTree tree;
    tree.directory("evil.example/evil.example");
    tree.directory("\\evil.example");
    tree.directory("a:");
    tree.directory("\\\\\\");
    tree.write("\\.html", "page");
    tree.write("evil.example.html", "page");
    for (const bool clean_urls : {false, true}) {
        const auto site = site::Site::open({.root = tree.string(), .clean_urls = clean_urls});
        ASSERT_TRUE(site);
        EXPECT_GT(redirects_of(**site), 30) << clean_urls;
        EXPECT_GT(redirects_of(**site, "//"), 30) << clean_urls;
    }
}

TEST(Locations, ToHttpsStayOnTheHost) {
    web::Router router;
    SecureHandler handler{router, {}};
    web::Probe probe{handler};
    for (const std::string& text : hostile_texts(of_a_target)) {
        const auto answer = probe.get("/" + text, {{"Host", "www.example.org:8000"}});
        ASSERT_EQ(answer.status, 308u);
        const std::string read = as_a_browser_reads(answer.field("Location"));
        EXPECT_TRUE(read.starts_with("https://www.example.org/")) << read;
        EXPECT_EQ(answer.field("Location").find('\\'), std::string::npos);
    }
}

TEST(Locations, OfAHandlerStayOnTheHostIfTheyStartWithASlash) {
    for (const std::string& text :
         hostile_texts({"/", "\\", "evil.example", "\t", "\n", " ", "\x01", "@", "?"})) {
        const std::string lines{web::redirect("/" + text).own_fields()};
        const std::string location = lines.substr(std::string_view{"Location: "}.size());
        EXPECT_TRUE(stays_on_the_host(location)) << location;
    }
}

}  // namespace
}  // namespace weir::server
