#include <gtest/gtest.h>

#include <filesystem>

#include "cli/serve/listing_choice.h"
#include "cli/serve/serve_options.h"
#include "unit/site/temporary_tree.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;

ServeOptions parsed(const Arguments& arguments) {
    auto options = parse_serve_options(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options.value_or(ServeOptions{});
}

std::string refusal(const Arguments& arguments) {
    const auto options = parse_serve_options(arguments);
    if (options) return "none";
    EXPECT_EQ(options.error().exit_code, 2);
    return options.error().text;
}

TEST(ServeOptions, TakeAFileWithItsFolderAsTheRoot) {
    const site::TemporaryTree tree;
    tree.write("page.html", "x");
    tree.directory("other");
    tree.link("other/link", tree.at("page.html"));
    const std::string file = tree.at("page.html");
    for (const Arguments& arguments : {Arguments{file}, Arguments{"-r", file}}) {
        const site::Options site = parsed(arguments).site;
        EXPECT_EQ(site.root, tree.string());
        EXPECT_EQ(site.file, "page.html");
        EXPECT_EQ(site.file_name, "page.html");
    }
    const site::Options linked = parsed({tree.at("other/link")}).site;
    EXPECT_EQ(linked.root, tree.at("other"));
    EXPECT_EQ(linked.file, "link");
    EXPECT_EQ(linked.file_name, "link");
    EXPECT_TRUE(linked.follows_file);
    EXPECT_EQ(parsed({tree.string()}).site.file, "");
}

TEST(ServeOptions, OfAFolderAreRefusedWithAFile) {
    const site::TemporaryTree tree;
    tree.write("page.html", "x");
    for (const std::string option : {"--spa", "--listing", "--clean-urls", "--index=a.html"}) {
        const std::string text = refusal({option, tree.at("page.html")});
        const std::string name = option.substr(0, option.find('='));
        EXPECT_TRUE(text.contains(name + " is for folders")) << text;
    }
    EXPECT_TRUE(refusal({"--etag=content", "--etag-manifest=a", tree.at("page.html")})
                    .contains("--etag-manifest is for folders"));
    const Variable variable{"WEIR_LISTING", "0"};
    EXPECT_EQ(parsed({tree.at("page.html")}).site.file, "page.html");
}

TEST(ServeOptions, MakeACertificateOfOneKindOrOfTheOther) {
    EXPECT_EQ(parsed({"--tls"}).tls.own, OwnCertificate::self_signed);
    EXPECT_EQ(parsed({"--tls=local"}).tls.own, OwnCertificate::local);
    EXPECT_TRUE(parsed({"--tls=local"}).tls.on);
    EXPECT_EQ(parsed({"--tls", "--tls=local"}).tls.own, OwnCertificate::local);
}

TEST(ServeOptions, ListOrDoNot) {
    EXPECT_TRUE(refusal({"--listing", "--no-listing"}).contains("cannot be combined"));
    {
        const Variable variable{"WEIR_LISTING", "1"};
        EXPECT_FALSE(parsed({"--no-listing"}).site.listing);
    }
    const Variable variable{"WEIR_NO_LISTING", "1"};
    EXPECT_FALSE(parsed({"--listing"}).no_listing);
}

/// Returns what a folder without an index shows: "listing", "hint", or "none".
std::string shown_for(const Arguments& arguments) {
    ServeOptions options = parsed(arguments);
    choose_listing(options, options.server.addresses);
    EXPECT_FALSE(options.site.listing && !options.site.listing_hint.empty());
    if (options.site.listing) return "listing";
    return options.site.listing_hint.contains("--listing") ? "hint" : "none";
}

TEST(ListingChoice, FoldersAreListedWhereOnlyThisMachineCanConnect) {
    EXPECT_EQ(shown_for({}), "listing");
    EXPECT_EQ(shown_for({"-b", "127.0.0.1:81", "-b", "[::1]:82", "-b", "localhost"}), "listing");
    EXPECT_EQ(shown_for({"-b", "0.0.0.0"}), "hint");
    EXPECT_EQ(shown_for({"-b", "127.0.0.1", "-b", "192.0.2.1"}), "hint");
    EXPECT_EQ(shown_for({"-b", "[::]"}), "hint");
    EXPECT_EQ(shown_for({"-b", "unix:/tmp/weir.sock"}), "hint") << "others may come through it";
}

TEST(ListingChoice, WhatIsSaidGoesFirst) {
    EXPECT_EQ(shown_for({"-b", "0.0.0.0", "--listing"}), "listing");
    EXPECT_EQ(shown_for({"--no-listing"}), "none");
    EXPECT_EQ(shown_for({"-b", "0.0.0.0", "--no-listing"}), "none");
}

}  // namespace
}  // namespace weir::cli
