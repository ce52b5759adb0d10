#include "site/types/media_types.h"

#include <gtest/gtest.h>

#include "site/types/first_bytes.h"

namespace weir::site {
namespace {

using namespace std::string_view_literals;

TEST(MediaTypes, ByExtension) {
    EXPECT_EQ(media_type_of("index.html"), "text/html");
    EXPECT_EQ(media_type_of("a/b.C.JS"), "text/javascript");
    EXPECT_EQ(media_type_of("a.mjs"), "text/javascript");
    EXPECT_EQ(media_type_of("a.css"), "text/css");
    EXPECT_EQ(media_type_of("a.svg"), "image/svg+xml");
    EXPECT_EQ(media_type_of("a.wasm"), "application/wasm");
    EXPECT_EQ(media_type_of("a.woff2"), "font/woff2");
    EXPECT_EQ(media_type_of("a.avif"), "image/avif");
    EXPECT_EQ(media_type_of("a.mp4"), "video/mp4");
    EXPECT_EQ(media_type_of("a.webmanifest"), "application/manifest+json");
    EXPECT_EQ(media_type_of("a.tar.gz"), "application/gzip");
    EXPECT_EQ(media_type_of("a.bin"), "application/octet-stream");
    EXPECT_EQ(media_type_of("a.123"), "application/vnd.lotus-1-2-3") << "the table's first";
}

TEST(MediaTypes, HaveTheNamesOfTheRegistry) {
    for (const auto* const name : {"a.tgz", "a.TGZ", "a.taz", "a.gz"})
        EXPECT_EQ(media_type_of(name), "application/gzip") << name;
    EXPECT_EQ(media_type_of("a.flac"), "audio/flac");
    EXPECT_EQ(media_type_of("a.mkv"), "video/matroska");
    EXPECT_EQ(media_type_of("a.mka"), "audio/matroska");
    EXPECT_EQ(media_type_of("a.vcf"), "text/vcard");
    EXPECT_EQ(media_type_of("a.jfif"), "image/jpeg");
    EXPECT_EQ(media_type_of("a.exe"), "application/vnd.microsoft.portable-executable");
    EXPECT_EQ(media_type_of("a.parquet"), "application/vnd.apache.parquet");
    EXPECT_EQ(media_type_of("a.sqlite3"), "application/vnd.sqlite3");
    EXPECT_EQ(media_type_of("a.tar.zst"), "application/zstd");
    EXPECT_EQ(media_type_of("a.txz"), "application/x-xz");
}

TEST(MediaTypes, WhatBrowsersRunKeepsItsType) {
    EXPECT_EQ(media_type_of("a.cjs"), "text/javascript");
    EXPECT_EQ(media_type_of("a.json"), "application/json");
    EXPECT_EQ(media_type_of("a.map"), "application/json");
    EXPECT_EQ(media_type_of("a.xml"), "application/xml");
    EXPECT_EQ(media_type_of("a.vtt"), "text/vtt");
}

TEST(MediaTypes, SourceCodeIsToldByItsBytes) {
    for (const auto* const name :
         {"a.rs", "a.ts",  "a.tsx", "a.mts",    "a.jsx",  "a.go",   "a.py",   "a.sh",  "a.diff",
          "a.c",  "a.h",   "a.cc",  "a.cpp",    "a.hpp",  "a.java", "a.kt",   "a.rb",  "a.pl",
          "a.md", "a.sql", "a.yml", "a.yaml",   "a.toml", "a.lua",  "a.php",  "a.bat", "a.tex",
          "a.cs", "a.csv", "a.tsv", "a.json5",  "a.scss", "a.less", "a.vue",  "a.nix", "a.proto",
          "a.s",  "a.org", "a.rst", "a.svelte", "a.lock", "a.env",  "a.cmake"})
        EXPECT_EQ(media_type_of(name), "") << name;
}

TEST(MediaTypes, WithoutAKnownEndingTheBytesTell) {
    for (const auto* const name : {"README", "a.", "a.unheard-of", ".html", "dir.html/README", "",
                                   "a.an-extension-far-longer-than-any-that-the-table-has"})
        EXPECT_EQ(media_type_of(name), "") << name;
}

std::string ruled(std::vector<MediaTypeRule> rules, std::string_view path) {
    const auto types = MediaTypes::from(std::move(rules));
    return types ? std::string{types->of(path)} : types.error();
}

TEST(MediaTypes, ARuleGoesBeforeTheName) {
    const MediaTypeRule foo{.glob = "*.foo", .media_type = "text/plain"};
    EXPECT_EQ(ruled({foo}, "/x/a.foo"), "text/plain");
    EXPECT_EQ(ruled({foo}, "/x/a.html"), "text/html");
    EXPECT_EQ(ruled({foo, {"/x/**", "a/b; c=d"}}, "/x/a.foo"), "a/b; c=d") << "the last one";
    EXPECT_EQ(ruled({{"/x/**", "a/b"}, foo}, "/x/a.foo"), "text/plain");
}

TEST(MediaTypes, WrongRulesAreRefused) {
    for (const auto* const type : {"", "text", "text/", "/plain", "te xt/plain", "text/plain;\r\n"})
        EXPECT_FALSE(MediaTypes::from({{.glob = "*", .media_type = type}})) << type;
    EXPECT_FALSE(MediaTypes::from({{.glob = "a/b", .media_type = "text/plain"}}));
}

std::string_view by(std::string_view bytes) { return media_type_of(FirstBytes{bytes}); }

TEST(FirstBytes, OfTextAreNeverMoreThanPlainText) {
    EXPECT_EQ(by(""), "text/plain");
    EXPECT_EQ(by("<!doctype html><script>alert(1)</script>"), "text/plain");
    EXPECT_EQ(by("%!PS-Adobe"), "text/plain");
    EXPECT_EQ(by("a\tb\r\n\f\x1b[1m"), "text/plain");
    EXPECT_EQ(by("gr\xc3\xbc\xc3\x9f"), "text/plain");
    EXPECT_EQ(by("gr\xfc\xdf"), "text/plain") << "Latin-1";
    EXPECT_EQ(by("\xff\xfeg\0r\0"sv), "text/plain") << "UTF-16 by its mark";
}

TEST(FirstBytes, WithAControlAreOctets) {
    for (const auto bytes : {"a\0b"sv, "\x7f\x45LF\x02\x01"sv, "a\x0b"sv, "\x1c"sv,
                             "\xff\xfe\0\0g\0\0\0"sv, "g\0r\0"sv})
        EXPECT_EQ(by(bytes), "application/octet-stream") << bytes;
}

TEST(FirstBytes, OfATransportStream) {
    std::string stream(3 * 188, '\0');
    for (const std::size_t at : {0, 188, 376}) stream[at] = 'G';
    EXPECT_EQ(by(stream), "video/mp2t");
    stream[188] = 'H';
    EXPECT_EQ(by(stream), "application/octet-stream");
}

TEST(MediaTypes, TextSaysItsCharset) {
    EXPECT_EQ(content_type_of("text/html", {"gr\xc3\xbc"}), "text/html; charset=utf-8");
    EXPECT_EQ(content_type_of("text/html", {"gr\xfc\xdf."}), "text/html") << "a browser finds it";
    EXPECT_EQ(content_type_of("text/plain", {"\xfe\xff\0a"sv}), "text/plain; charset=utf-16");
    EXPECT_EQ(content_type_of("image/png", {"x"}), "image/png");
    EXPECT_EQ(content_type_of("application/json", {"{}"}), "application/json");
}

}  // namespace
}  // namespace weir::site
