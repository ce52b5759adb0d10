#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "markdown/text/screening.h"
#include "weir/markdown/markdown.h"

namespace weir::markdown {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string text;
    while (text.size() + piece.size() <= bytes) text += piece;
    return text;
}

/// Nothing, if it is not rendered.
std::optional<Rendered> rendered(std::string_view markdown, int first_level = 1) {
    return Renderer::open()->render(markdown, first_level);
}

std::string html(std::string_view markdown) {
    auto all = rendered(markdown);
    EXPECT_TRUE(all) << markdown.substr(0, 100);
    return all ? all->html : "";
}

TEST(Markdown, IsRenderedWithTheExtensionsOfGitHub) {
    EXPECT_EQ(html("a *b* **c** `d`"), "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n");
    EXPECT_EQ(html("~~a~~"), "<p><del>a</del></p>\n");
    EXPECT_EQ(html("www.example.org"),
              "<p><a href=\"http://www.example.org\">www.example.org</a></p>\n");
    EXPECT_THAT(html("|a|b|\n|-|-:|\n|c|d|\n"), HasSubstr("<td align=\"right\">d</td>"));
    EXPECT_THAT(html("- [x] a\n"),
                HasSubstr("<input type=\"checkbox\" checked=\"\" disabled=\"\" /> a"));
    EXPECT_EQ(html("```cpp\na<b\n```"),
              "<pre><code class=\"language-cpp\">a&lt;b\n</code></pre>\n");
    EXPECT_EQ(html(""), "");
}

TEST(Markdown, LinksStayRelative) {
    EXPECT_EQ(html("[a](b.md#c)"), "<p><a href=\"b.md#c\">a</a></p>\n");
    EXPECT_EQ(html("![a](/b/c.png \"d\")"),
              "<p><img src=\"/b/c.png\" alt=\"a\" title=\"d\" /></p>\n");
}

TEST(Markdown, TheTitleIsTheFirstHeading) {
    EXPECT_EQ(rendered("text\n\n## A *b* & `<c>`\n\n# D")->title, "A b & <c>");
    EXPECT_EQ(rendered("two\nlines\n===")->title, "two lines");
    EXPECT_EQ(rendered("text")->title, "");
}

TEST(Markdown, HeadingsStartAtALevel) {
    EXPECT_EQ(rendered("# a\n## b\n##### c", 3)->html, "<h3>a</h3>\n<h4>b</h4>\n<h6>c</h6>\n");
}

TEST(Markdown, BytesThatAreNoTextAreReplaced) {
    EXPECT_EQ(html("a\xff"), "<p>a\xef\xbf\xbd</p>\n");
    EXPECT_EQ(html({"a\0b", 3}),
              "<p>a\xef\xbf\xbd"
              "b</p>\n");
}

/// None of these may run anything in the page.
TEST(Markdown, AttacksBecomeTextOrNothing) {
    constexpr std::array attacks{
        "<script>alert(1)</script>",
        "<ScRiPt src=//x></sCrIpT>",
        "a <script>alert(1)</script> b",
        "<img src=x onerror=alert(1)>",
        "a <img src=x onerror=alert(1)> b",
        "<a href=javascript:alert(1)>a</a>",
        "<svg><script>alert(1)</script></svg>",
        "<svg onload=alert(1)>",
        "<style>*{background:url(javascript:alert(1))}</style>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<!--><script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<?php <script>alert(1)</script> ?>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](<javascript:alert(1)>)",
        "[a]( javascript:alert(1))",
        "[a](<  javascript:alert(1)>)",
        "[a](javascript&#58;alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](&#x6A;&#x61;vascript&colon;alert(1))",
        "[a](java&Tab;script:alert(1))",
        "[a](java&NewLine;script:alert(1))",
        "[a](&#1;javascript:alert(1))",
        "[a](javascript\\:alert(1))",
        "[a](vbscript:msgbox(1))",
        "[a](file:///etc/passwd)",
        "[a](data:text/html,<script>alert(1)</script>)",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "![a](data:image/svg+xml,<svg onload=alert(1)>)",
        "![a](data:image/png;base64,AAAA)",
        "![a](javascript:alert(1))",
        "![a](b \"onerror=alert(1)\")",
        "![a\" onerror=\"alert(1)](b)",
        "[a](b \"\\\" onclick=\\\"alert(1)\")",
        "[a](b\" onclick=\"alert(1))",
        "[a]\n\n[a]: javascript:alert(1)",
        "[a]\n\n[a]: <javascript:alert(1)> 'b'",
        "<javascript:alert(1)>",
        "<data:text/html,a>",
        "```\" onclick=\"alert(1)\na\n```",
        "~~~<script>\n</script>\n~~~",
        "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
        "# <script>alert(1)</script>",
        "- [x] <script>alert(1)</script>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "\\<script>alert(1)</script>",
    };
    for (const char* const attack : attacks) {
        const std::string shown = html(attack);
        for (const char* const element : {"<script", "<img src=x", "<svg", "<style", "<iframe"})
            EXPECT_THAT(shown, Not(HasSubstr(element))) << attack;
        for (const char* const name : {"\" on", "href=\"java", "href=\"vb", "href=\"data",
                                       "href=\"file", "src=\"data", "src=\"java"})
            EXPECT_THAT(shown, Not(HasSubstr(name))) << attack;
        EXPECT_THAT(shown,
                    Not(testing::ContainsRegex("(href|src)=\"[^\":/?#]*[Ss][Cc][Rr][^\":/?#]*:")))
            << attack;
    }
}

TEST(Markdown, OtherSchemesStay) {
    for (const char* const link :
         {"http://a/", "HTTPS://a/", "mailto:a@b", "//a/b", "a:b/c", "?a:b"})
        EXPECT_EQ(html(std::string{"[x]("}.append(link).append(")")).contains("href=\"\""),
                  std::string_view{link} == "a:b/c")
            << link;
}

/// cmark-gfm 0.29.0.gfm.6 would take seconds or gigabytes for each.
TEST(Markdown, WhatTakesTooLongIsNotRendered) {
    constexpr std::size_t bytes = Renderer::bytes_max;
    const std::string levels = repeated("1. ", bytes / 2);
    EXPECT_FALSE(rendered(levels + repeated("\n", bytes / 2)));
    EXPECT_FALSE(
        rendered("[a]: " + repeated("u", bytes / 2) + "\n\n" + repeated("[a]", bytes / 2 - 10)));
    EXPECT_FALSE(rendered(repeated("![[]()", bytes)));
    EXPECT_FALSE(rendered(repeated(">", 1000)));
    EXPECT_FALSE(rendered(repeated("|a", 120) + "|\n" + repeated("|-", 120) + "|\n" +
                          repeated("|\n", bytes - 300)));
    EXPECT_FALSE(rendered(std::string(bytes + 1, 'a')));
    EXPECT_TRUE(rendered(std::string(bytes, 'a')));
    EXPECT_EQ(html("after **all** that"), "<p>after <strong>all</strong> that</p>\n");
}

TEST(Markdown, LongWordsHaveNoLinksOfTheirOwn) {
    const std::string long_word = repeated("www._", 2000);
    EXPECT_THAT(html(long_word + " www.example.org *a*"),
                testing::AllOf(Not(HasSubstr("<a ")), HasSubstr("<em>a</em>")));
}

TEST(Markdown, WideLinesAreNoTables) {
    EXPECT_THAT(html("|a\n|-\n|b\n\n" + repeated("|", 100)), Not(HasSubstr("<table")));
}

TEST(Markdown, LinesOfDashesAreNoLevels) {
    for (const char* const line : {"-", "*", "+", "=", "_", "- -", "1.1.", "1)2)"})
        EXPECT_FALSE(screened(repeated(line, 200)).is_deep) << line;
    for (const char* const mark : {">", "> ", "- ", "+ ", "1. ", "23) ", "\t"})
        EXPECT_TRUE(screened(repeated(mark, 600)).is_deep) << mark;
    EXPECT_TRUE(screened("a\r\n" + repeated("  ", 200) + "b").is_deep);
    EXPECT_FALSE(screened("a\r\n" + repeated("  ", 80) + "b").is_deep);
}

TEST(Markdown, ManyThreadsRenderTheSame) {
    const std::string text = repeated("~~a~~ www.b.org\n\n|c|\n|-|\n|d|\n\n", 4000);
    const std::string expected = html(text);
    std::array<std::string, 4> shown;
    {
        std::array<std::jthread, 4> threads;
        for (std::size_t i = 0; i < threads.size(); ++i)
            threads.at(i) = std::jthread{[&text, &its = shown.at(i)] {
                for (int round = 0; round < 20; ++round) its = html(text);
            }};
    }
    for (const std::string& each : shown) EXPECT_EQ(each, expected);
}

}  // namespace
}  // namespace weir::markdown
