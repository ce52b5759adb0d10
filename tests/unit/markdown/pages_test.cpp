#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "weir/markdown/markdown.h"
#include "weir/web/probe.h"

namespace weir::markdown {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Answer = web::Probe::Answer;
using Fields = web::Probe::Fields;

/// As Firefox and Chromium send it.
const Fields browser{{"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}};

Fields with(Fields fields, std::string_view name, std::string_view value) {
    fields.emplace_back(name, value);
    return fields;
}

/// A handler that a test writes.
struct Written final : http::Handler {
    std::function<http::Reply(const http::Request&)> answer;
    http::Reply handle(const http::Request& request) override { return answer(request); }
};

class MarkdownPages : public testing::Test {
   protected:
    MarkdownPages() {
        file.answer = [this](const http::Request& request) { return respond(request); };
    }

    /// As a site answers.
    http::Response respond(const http::Request& request) {
        const auto matches = request.field(http::FieldName::if_match);
        if (matches && *matches != "*")
            return http::error_response(http::Status::precondition_failed);
        for (const auto name : {http::FieldName::range, http::FieldName::accept_encoding})
            if (!request.field(name).value_or("").empty())
                return http::Response{http::Status::not_acceptable};
        http::Response response;
        response.add("Content-Type", media_type).add("Accept-Ranges", "bytes");
        response.add("Last-Modified", "Thu, 01 Jan 1970 00:00:01 GMT").add("X-Rule", "kept");
        if (!tag.empty()) response.add("ETag", tag);
        if (!disposition.empty()) response.add("Content-Disposition", disposition);
        if (descriptor >= 0)
            response.content(http::FileRange{.fd = descriptor, .size = content.size()});
        else
            response.content(content);
        return response;
    }

    Answer get(std::string_view target, const Fields& fields = browser) {
        return probe.get(target, fields);
    }
    bool is_page(const Answer& answer) const {
        return answer.field("Content-Type") == "text/html; charset=utf-8";
    }

    std::string content = "# A & b\n\n[c](d.md)\n";
    std::string media_type = "text/plain; charset=utf-8";
    std::string tag = "\"v1\"";
    std::string disposition;
    int descriptor = -1;
    Written file;
    std::unique_ptr<http::Handler> pages = std::move(show_pages(file).value());
    web::Probe probe{*pages};
};

TEST_F(MarkdownPages, AreForBrowsers) {
    const Answer page = get("/a.md");
    EXPECT_TRUE(is_page(page));
    EXPECT_THAT(page.content, StartsWith("<!doctype html>\n"));
    EXPECT_THAT(page.content, HasSubstr("<title>A &amp; b</title>"));
    EXPECT_THAT(page.content, HasSubstr("<h1>A &amp; b</h1>\n<p><a href=\"d.md\">c</a></p>"));
    EXPECT_THAT(page.content, HasSubstr("<a href=\"?raw\">Source</a>"));
    EXPECT_EQ(page.field("ETag"), "\"v1-html1\"");
    EXPECT_EQ(page.field("Vary"), "Accept");
    EXPECT_EQ(page.field("Cache-Control"), "no-cache");
    EXPECT_EQ(page.field("X-Rule"), "kept");
    EXPECT_THAT(page.field("Content-Security-Policy"), StartsWith("default-src 'none'; "));
    EXPECT_EQ(page.field("Accept-Ranges"), "");
    EXPECT_EQ(page.field("Last-Modified"), "");
    for (const char* const target : {"/a.MD", "/a.markdown", "/b/c.md?x=raw&rawest"})
        EXPECT_TRUE(is_page(get(target))) << target;
}

TEST_F(MarkdownPages, AreNotForOthers) {
    const std::array<Fields, 5> others{Fields{}, Fields{{"Accept", "*/*"}},
                                       Fields{{"Accept", "text/*"}},
                                       Fields{{"Accept", "text/markdown, text/html;q=0.9"}},
                                       Fields{{"Accept", "image/avif,image/webp,*/*;q=0.8"}}};
    for (const Fields& fields : others) {
        const Answer answer = get("/a.md", fields);
        EXPECT_EQ(answer.content, content);
        EXPECT_EQ(answer.field("Vary"), "Accept");
        EXPECT_EQ(answer.field("ETag"), "\"v1\"");
    }
    for (const char* const target : {"/a.md?raw", "/a.md?x&raw"}) {
        EXPECT_EQ(get(target).content, content) << target;
        EXPECT_EQ(get(target).field("Vary"), "Accept") << target;
    }
    for (const char* const target : {"/a.txt", "/md", "/.md/a", "/a.md/", "/a.mdx"}) {
        EXPECT_FALSE(is_page(get(target))) << target;
        EXPECT_EQ(get(target).field("Vary"), "") << target;
    }
}

TEST_F(MarkdownPages, AreOfTextThatIsShown) {
    media_type = "text/markdown";
    EXPECT_TRUE(is_page(get("/a.md")));
    disposition = "attachment";
    EXPECT_EQ(get("/a.md").content, content);
    disposition.clear();
    media_type = "application/octet-stream";
    EXPECT_EQ(get("/a.md").content, content);
    file.answer = [](const http::Request&) {
        return http::error_response(http::Status::not_found);
    };
    EXPECT_EQ(get("/a.md").status, 404);
}

TEST_F(MarkdownPages, HaveConditionsOfTheirOwn) {
    for (const char* const given : {"\"v1-html1\"", "W/\"v1-html1\"", "\"x\", \"v1-html1\"", "*"}) {
        const Answer answer = get("/a.md", with(browser, "If-None-Match", given));
        EXPECT_EQ(answer.status, 304) << given;
        EXPECT_EQ(answer.field("ETag"), "\"v1-html1\"");
        EXPECT_EQ(answer.field("Vary"), "Accept");
    }
    EXPECT_EQ(get("/a.md", with(browser, "If-None-Match", "\"v1\"")).status, 200);
    EXPECT_EQ(get("/a.md", with(browser, "If-Match", "\"v1-html1\"")).status, 200);
    EXPECT_EQ(get("/a.md", with(browser, "If-Match", "\"v1\"")).status, 412);
    tag = "W/\"v2\"";
    EXPECT_EQ(get("/a.md").field("ETag"), "W/\"v2-html1\"");
    tag.clear();
    EXPECT_TRUE(is_page(get("/a.md")));
    EXPECT_EQ(get("/a.md").field("ETag"), "");
}

TEST_F(MarkdownPages, HaveNoRangesAndNoCoding) {
    const Answer page =
        get("/a.md", with(with(browser, "Range", "bytes=0-3"), "Accept-Encoding", "gzip"));
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(is_page(page));
}

TEST_F(MarkdownPages, HeadSaysWhatGetDoes) {
    const Answer head = probe.ask("HEAD", "/a.md", browser);
    EXPECT_TRUE(is_page(head));
    EXPECT_EQ(head.content, "");
    EXPECT_EQ(head.field("Content-Length"), get("/a.md").field("Content-Length"));
}

TEST_F(MarkdownPages, OfFilesThatAreReadFromTheirDescriptor) {
    std::FILE* const opened = std::tmpfile();
    std::fwrite(content.data(), 1, content.size(), opened);
    std::fflush(opened);
    descriptor = ::fileno(opened);
    EXPECT_THAT(get("/a.md").content, HasSubstr("<h1>A &amp; b</h1>"));
    std::fclose(opened);
}

TEST_F(MarkdownPages, LongFilesAreSentAsTheyAre) {
    content.assign(Renderer::bytes_max + 1, 'a');
    const Answer answer = get("/a.md");
    EXPECT_EQ(answer.content, content);
    EXPECT_EQ(answer.field("Vary"), "Accept");
}

TEST_F(MarkdownPages, TheNameIsTheTitleWhereThereIsNoHeading) {
    content = "text";
    EXPECT_THAT(get("/b/it's.md").content, HasSubstr("<title>it&#39;s.md</title>"));
}

}  // namespace
}  // namespace weir::markdown
