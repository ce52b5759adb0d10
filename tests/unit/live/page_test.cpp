#include <gtest/gtest.h>

#include <functional>

#include "../site/temporary_tree.h"
#include "weir/live/live.h"
#include "weir/web/probe.h"

namespace weir::live {
namespace {

using Fields = web::Probe::Fields;

/// What is inside answers as a test says.
constexpr site::CacheOptions no_cache{.entries_max = 0, .watches_max = 0};

struct Pages : ::testing::Test, http::Handler {
    site::TemporaryTree tree;
    std::function<http::Response(const http::Request&)> inside = [](const http::Request&) {
        return html("<p>Hello");
    };
    std::unique_ptr<Reloader> reloader = *around(*this, {.root = tree.string(), .cache = no_cache});

    http::Reply handle(const http::Request& request) override { return inside(request); }

    static http::Response html(std::string content) {
        http::Response response;
        response.add("Content-Type", "text/html; charset=utf-8").content(std::move(content));
        return response;
    }
    web::Probe::Answer get(const Fields& fields = {}, std::string_view method = "GET") {
        return web::Probe{*reloader}.ask(method, "/page", fields);
    }
    /// How often the content has the script.
    static std::size_t scripts(const web::Probe::Answer& answer) {
        std::size_t count = 0;
        for (auto at = answer.content.find("/.weir/live.js"); at != std::string::npos;
             at = answer.content.find("/.weir/live.js", at + 1))
            ++count;
        return count;
    }
};

TEST_F(Pages, HaveTheScriptAtTheirEnd) {
    const auto answer = get();
    EXPECT_TRUE(answer.is_complete);
    EXPECT_TRUE(answer.content.starts_with("<p>Hello<script src=\"/.weir/live.js\" nonce=\""))
        << answer.content;
    EXPECT_TRUE(answer.content.ends_with("\"></script>\n"));
    EXPECT_EQ(answer.field("Content-Length"), std::to_string(answer.content.size()));
    EXPECT_EQ(get({}, "HEAD").field("Content-Length"), answer.field("Content-Length"));
}

TEST_F(Pages, HaveItWhateverTheirContentIsMadeOf) {
    struct Pieces final : http::Source {
        int left = 3;
        Pulled pull(std::span<char> into) override {
            if (left-- == 0) return End{};
            into[0] = 'x';
            return Ready{1};
        }
    };
    inside = [](const http::Request&) {
        http::Response response = html("");
        response.content(std::make_unique<Pieces>());
        return response;
    };
    EXPECT_TRUE(get().content.starts_with("xxx<script"));
    inside = [](const http::Request&) {
        http::Response response = html("");
        response.content_view("seen");
        return response;
    };
    EXPECT_TRUE(get().content.starts_with("seen<script"));
    inside = [](const http::Request&) { return html(""); };
    EXPECT_EQ(scripts(get()), 1u);
}

TEST_F(Pages, OfErrorsHaveIt) {
    inside = [](const http::Request&) { return http::error_response(http::Status::not_found); };
    const auto answer = get();
    EXPECT_EQ(answer.status, 404u);
    EXPECT_EQ(scripts(answer), 1u);
}

TEST_F(Pages, ThatAreNoPagesStayAsTheyAre) {
    const auto content_of = [this](std::string_view name, std::string_view value) {
        inside = [=](const http::Request&) {
            http::Response response = html("<p>");
            response.add(name, value);
            return response;
        };
        return get().content;
    };
    EXPECT_EQ(content_of("Content-Type", "application/json"), "<p>");
    EXPECT_EQ(content_of("Content-Type", "text/html; charset=UTF-16"), "<p>");
    EXPECT_EQ(content_of("Content-Disposition", "Attachment; filename=a.html"), "<p>");
    EXPECT_EQ(content_of("Cache-Control", "no-transform"), "<p>");
    EXPECT_EQ(content_of("Content-Encoding", "gzip"), "<p>");
    EXPECT_NE(content_of("Content-Disposition", "inline"), "<p>");
    inside = [](const http::Request&) {
        http::Response response = html("<p>");
        response.status(http::Status::moved_permanently);
        return response;
    };
    EXPECT_EQ(get().content, "<p>");
}

TEST_F(Pages, HaveItWhereTheBrowserShowsThem) {
    EXPECT_EQ(scripts(get({{"Sec-Fetch-Dest", "document"}})), 1u);
    EXPECT_EQ(scripts(get({{"Sec-Fetch-Dest", "iframe"}})), 1u);
    EXPECT_EQ(scripts(get({{"Sec-Fetch-Dest", "empty"}})), 0u);
    EXPECT_EQ(scripts(get({}, "POST")), 0u);
}

TEST_F(Pages, HaveNoValidators) {
    inside = [](const http::Request&) {
        http::Response response = html("<p>");
        response.add("ETag", "\"v1\"").add("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
        response.add("Accept-Ranges", "bytes").add("Set-Cookie", "a=1").add("Set-Cookie", "b=2");
        return response;
    };
    const auto answer = get();
    for (const char* const name : {"ETag", "Last-Modified", "Accept-Ranges"})
        EXPECT_EQ(answer.field(name), "") << name;
    EXPECT_EQ(std::ranges::count(answer.fields, "Set-Cookie", &Fields::value_type::first), 2);
    EXPECT_EQ(get({{"Sec-Fetch-Dest", "empty"}}).field("ETag"), "\"v1\"");
}

TEST_F(Pages, AreWholeForAClientThatHasThem) {
    inside = [](const http::Request& request) {
        if (!request.field("If-None-Match").value_or("").empty())
            return http::Response{http::Status::not_modified};
        if (!request.field("Range").value_or("").empty()) {
            http::Response part = html("p");
            part.status(http::Status::partial_content).add("Content-Range", "bytes 1-1/9");
            return part;
        }
        http::Response response = html("<p>Hello");
        if (!request.field("Accept-Encoding").value_or("").empty())
            response.add("Content-Encoding", "gzip");
        return response;
    };
    for (const Fields& fields :
         {Fields{{"If-None-Match", "\"v1\""}}, Fields{{"Range", "bytes=1-1"}},
          Fields{{"Accept-Encoding", "gzip"}}}) {
        const auto answer = get(fields);
        EXPECT_EQ(answer.status, 200u);
        EXPECT_EQ(scripts(answer), 1u) << fields.front().first;
    }
    inside = [](const http::Request& request) {
        if (request.field("If-None-Match").value_or("").empty()) {
            http::Response style{http::Status::ok};
            style.add("Content-Type", "text/css").content("a{}");
            return style;
        }
        return http::Response{http::Status::not_modified};
    };
    EXPECT_EQ(get({{"If-None-Match", "\"v1\""}}).status, 304u);
}

TEST_F(Pages, AreAskedForEachTime) {
    const auto cached_as = [this](std::string_view cache_control) {
        inside = [=](const http::Request&) {
            http::Response response;
            response.add("Content-Type", "text/css").content("a{}");
            if (!cache_control.empty()) response.add("Cache-Control", cache_control);
            return response;
        };
        return std::string{get().field("Cache-Control")};
    };
    EXPECT_EQ(cached_as(""), "no-cache");
    EXPECT_EQ(cached_as("max-age=600, immutable"), "no-cache");
    EXPECT_EQ(cached_as("private, no-store"), "private, no-store");
    EXPECT_EQ(cached_as("max-age=1, no-transform"), "no-cache, no-transform");
}

TEST_F(Pages, MayRunTheScriptBelowTheirPolicy) {
    inside = [](const http::Request&) {
        http::Response response = html("<p>");
        response.add("Content-Security-Policy", "default-src 'none'");
        return response;
    };
    EXPECT_EQ(get().field("Content-Security-Policy"),
              "default-src 'none'; script-src 'self'; connect-src 'self'");
}

TEST_F(Pages, MayRunTheScriptBelowThePolicyOfAnotherHandler) {
    struct Strict final : http::Handler {
        explicit Strict(http::Handler& of) : inner{of} {}
        http::Reply handle(const http::Request& request) override {
            auto response = std::get<http::Response>(inner.handle(request));
            response.add("Content-Security-Policy", "script-src 'strict-dynamic'");
            response.add("Cache-Control", "max-age=60");
            return response;
        }
        http::Handler& inner;
    } strict{*reloader};
    const auto finished = reloader->finish(strict);
    const auto answer = web::Probe{*finished}.get("/page");
    const std::string_view before = "nonce=\"";
    const auto begin = answer.content.find(before) + before.size();
    const std::string nonce = answer.content.substr(begin, answer.content.find('"', begin) - begin);
    EXPECT_EQ(nonce.size(), 32u);
    EXPECT_EQ(answer.field("Content-Security-Policy"),
              "script-src 'strict-dynamic' 'nonce-" + nonce + "'");
    EXPECT_EQ(answer.field("Cache-Control"), "no-cache");
    EXPECT_EQ(web::Probe{*finished}.ask("POST", "/page").field("Cache-Control"), "max-age=60");
}

TEST_F(Pages, ThatOfferAnUpgradeStillDo) {
    inside = [](const http::Request&) {
        http::Response response = html("<p>");
        response.offer_upgrade("websocket");
        return response;
    };
    const auto answer = get();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Upgrade"), "websocket");
    EXPECT_EQ(scripts(answer), 1u);
}

TEST_F(Pages, ThatComeLaterHaveIt) {
    struct Soon final : http::Continuation {
        http::Reply resume() override { return html("<p>late"); }
    };
    struct Slow final : http::Handler {
        http::Reply handle(const http::Request&) override {
            return http::Later{std::make_unique<Soon>()};
        }
    } slow;
    const auto later = around(slow, {.root = tree.string(), .cache = no_cache});
    EXPECT_TRUE(web::Probe{**later}.get("/").content.starts_with("<p>late<script"));
}

TEST_F(Pages, AreFilesOfASite) {
    tree.write("large.html", std::string(100'000, 'x'));
    tree.write("small.html", "<p>");
    tree.write("404.html", "none");
    const site::Options options{.root = tree.string(), .listing = true, .cache = no_cache};
    const auto site = site::Site::open(options);
    const auto live = around(**site, options);
    web::Probe probe{**live};
    for (const auto& [target, size] : {std::pair{"/large.html", 100'000}, {"/small.html", 3}}) {
        const auto answer = probe.get(target);
        EXPECT_EQ(answer.field("Content-Length"), std::to_string(answer.content.size()));
        EXPECT_EQ(answer.content.find("<script src="), static_cast<std::size_t>(size));
        EXPECT_EQ(probe.ask("HEAD", target).field("Content-Length"),
                  answer.field("Content-Length"));
    }
    EXPECT_EQ(scripts(probe.get("/none")), 1u);
    EXPECT_EQ(scripts(probe.get("/")), 1u);
}

}  // namespace
}  // namespace weir::live
