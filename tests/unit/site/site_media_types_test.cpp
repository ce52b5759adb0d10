#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

using namespace std::string_view_literals;

class SiteMediaTypes : public SiteTest {
   protected:
    static std::string type_of(Site& site, const std::string& path) {
        return ask(site, "GET " + path).field("Content-Type").value_or("none");
    }
};

constexpr const char* plain = "text/plain; charset=utf-8";
constexpr const char* octets = "application/octet-stream";

TEST_F(SiteMediaTypes, SourceCodeIsText) {
    const std::vector<std::string> names{
        "a.rs",    "a.ts",           "a.tsx",  "a.go",  "a.py",    "a.sh",           "a.diff",
        "a.patch", "a.toml",         "a.yaml", "a.md",  "LICENSE", "Makefile",       "Dockerfile",
        "README",  "CMakeLists.txt", "a.c",    "a.csv", "a.json5", "docs/.gitignore"};
    for (const std::string& name : names) tree.write(name, "<script>gr\xc3\xbc\xc3\x9f</script>");
    const auto site = open({.dotfiles = true});
    for (const std::string& name : names) {
        const auto answer = ask(*site, "GET /" + name);
        EXPECT_EQ(answer.field("Content-Type"), plain) << name;
        EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff") << name;
    }
}

TEST_F(SiteMediaTypes, ACompressedImageSaysItsCoding) {
    const std::string gzip = "\x1f\x8b\x08 and so on";
    tree.write("a.svgz", gzip);
    tree.write("A.SVGZ", gzip);
    tree.write("a.svgz.gz", "not sent");
    tree.write("large.svgz", gzip + std::string(50'000, 'x'));
    tree.write("plain.svgz", "<svg/>");
    tree.write("a.tgz", gzip);
    tree.write("other.svgz", gzip);
    const auto site =
        open({.media_types = {{.glob = "other.*", .media_type = "application/octet-stream"}}});
    for (const auto* const name : {"/a.svgz", "/A.SVGZ", "/large.svgz"}) {
        const auto answer = ask(*site, std::string{"GET "} + name, {"Accept-Encoding: gzip"});
        EXPECT_EQ(answer.field("Content-Type"), "image/svg+xml") << name;
        EXPECT_EQ(answer.field("Content-Encoding"), "gzip") << name;
        EXPECT_TRUE(answer.body.starts_with(gzip)) << name;
        EXPECT_FALSE(answer.field("Vary")) << name;
        const auto range = ask(*site, std::string{"GET "} + name, {"Range: bytes=0-1"});
        EXPECT_EQ(range.status, 206u);
        EXPECT_EQ(range.field("Content-Encoding"), "gzip");
        EXPECT_EQ(ask(*site, std::string{"GET "} + name, {"Range: bytes=0-1,3-4"}).status, 200u);
    }
    for (const auto* const name : {"/plain.svgz", "/a.tgz", "/other.svgz"})
        EXPECT_FALSE(ask(*site, std::string{"GET "} + name).field("Content-Encoding")) << name;
}

TEST_F(SiteMediaTypes, WhatIsNoTextIsOctets) {
    tree.write("README", "a\0b"sv);
    tree.write("a.rs", "a\0b"sv);
    tree.write("a.txt", "a\0b"sv);
    const auto site = open();
    EXPECT_EQ(type_of(*site, "/README"), octets);
    EXPECT_EQ(type_of(*site, "/a.rs"), octets);
    EXPECT_EQ(type_of(*site, "/a.txt"), plain) << "it says what it is";
    EXPECT_EQ(ask(*site, "GET /README").field("X-Content-Type-Options"), "nosniff");
}

TEST_F(SiteMediaTypes, ALargeFileIsToldByItsFirstBytesToo) {
    tree.write("text", std::string(9000, 'x') + '\0');
    tree.write("binary", '\0' + std::string(9000, 'x'));
    tree.write("cut", std::string(8191, 'x') + "\xc3\xbc");
    const auto site = open({.cache = {.small_file_bytes_max = 100}});
    EXPECT_TRUE(ask(*site, "GET /text").from_file);
    EXPECT_EQ(type_of(*site, "/text"), plain);
    EXPECT_EQ(type_of(*site, "/binary"), octets);
    EXPECT_EQ(type_of(*site, "/cut"), plain) << "a character across the limit";
}

TEST_F(SiteMediaTypes, TextThatIsNotUtf8LeavesTheCharsetToTheBrowser) {
    tree.write("latin", "gr\xfc\xdf dich");
    tree.write("latin.html", "<meta charset=iso-8859-1>gr\xfc\xdf dich");
    tree.write("wide.txt", "\xff\xfeg\0"sv);
    const auto site = open();
    EXPECT_EQ(type_of(*site, "/latin"), "text/plain");
    EXPECT_EQ(type_of(*site, "/latin.html"), "text/html");
    EXPECT_EQ(type_of(*site, "/wide.txt"), "text/plain; charset=utf-16");
}

TEST_F(SiteMediaTypes, AnotherCodingKeepsTheOriginalsType) {
    tree.write("LICENSE", "MIT");
    tree.write("LICENSE.gz", "\x1f\x8b\0\0"sv);
    const auto site = open();
    const auto answer = ask(*site, "GET /LICENSE", {"Accept-Encoding: gzip"});
    EXPECT_EQ(answer.field("Content-Encoding"), "gzip");
    EXPECT_EQ(answer.field("Content-Type"), plain);
}

TEST_F(SiteMediaTypes, ARuleOverridesThem) {
    tree.write("a.foo", "<b>");
    tree.write("docs/a.bin", "x");
    const auto site = open({.media_types = {{"*.foo", "text/html"},
                                            {"/docs/**", "application/x-bin"},
                                            {"/docs/**", "text/x-bin; charset=koi8-r"}},
                            .fields = {{.media_type = "text/html", .name = "X-A", .value = "1"}}});
    const auto answer = ask(*site, "GET /a.foo");
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(answer.field("X-A"), "1") << "rules for a media type go by it";
    EXPECT_EQ(type_of(*site, "/docs/a.bin"), "text/x-bin; charset=koi8-r") << "the last one";
    EXPECT_FALSE(Site::open({.root = tree.string(), .media_types = {{"*.foo", "html"}}}));
}

TEST_F(SiteMediaTypes, AFileThatChangesIsLookedAtAgain) {
    tree.write("file", "text");
    const auto site = open();
    settled(*site, "GET /file");
    EXPECT_EQ(type_of(*site, "/file"), plain);
    tree.write("file", "\0binary"sv);
    ask_until(*site, "GET /file",
              [](const auto& answer) { return answer.field("Content-Type") == octets; });
}

}  // namespace
}  // namespace weir::site
