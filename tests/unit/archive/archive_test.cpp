#include "weir/archive/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>

#include "../site/request_fixture.h"
#include "../site/temporary_tree.h"
#include "weir/web/probe.h"

namespace weir::archive {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// What libarchive itself reads in an archive: names with contents; a folder's is "/".
std::map<std::string, std::string> members(const std::string& bytes) {
    std::map<std::string, std::string> all;
    ::archive* const reader = ::archive_read_new();
    ::archive_read_support_filter_all(reader);
    ::archive_read_support_format_all(reader);
    EXPECT_EQ(::archive_read_open_memory(reader, bytes.data(), bytes.size()), ARCHIVE_OK);
    ::archive_entry* entry = nullptr;
    while (::archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
        std::string content;
        char piece[4096];
        la_ssize_t size = 0;
        while ((size = ::archive_read_data(reader, piece, sizeof piece)) > 0)
            content.append(piece, static_cast<std::size_t>(size));
        EXPECT_EQ(size, 0) << ::archive_error_string(reader);
        std::string name = ::archive_entry_pathname(entry);
        if (::archive_entry_filetype(entry) == AE_IFDIR) content = "/";
        EXPECT_TRUE(all.emplace(std::move(name), std::move(content)).second);
    }
    EXPECT_EQ(::archive_errno(reader), 0);
    ::archive_read_free(reader);
    return all;
}

struct Archives : ::testing::Test {
    site::TemporaryTree tree;
    site::Options options{.root = tree.string(), .listing = true};

    web::Probe::Answer get(std::string_view target, Options archives = {}) {
        const auto site = site::Site::open(options);
        const auto handler = around(**site, options, std::move(archives));
        web::Probe probe{**handler};
        return ask(probe, target);
    }
    /// The source makes a piece each time that it is asked.
    static web::Probe::Answer ask(web::Probe& probe, std::string_view target) {
        constexpr int pieces_max = 10'000;
        auto exchange = probe.open("GET", target);
        for (int i = 0; i < pieces_max && !exchange.answer().is_complete; ++i)
            probe.advance(std::chrono::milliseconds{1});
        return exchange.answer();
    }
};

TEST_F(Archives, HaveTheFolderInEachFormat) {
    const std::string large(300'000, 'x');
    tree.write("a/b/one.txt", "1");
    tree.write("a/large", large);
    tree.write("a/empty", "");
    tree.directory("a/none");
    tree.write("other", "o");
    for (const auto& [format, type] : {std::pair{"zip", "application/zip"},
                                       {"tar", "application/x-tar"},
                                       {"tar.gz", "application/gzip"}}) {
        const auto answer = get(std::string{"/a/?archive="} + format);
        EXPECT_EQ(answer.status, 200u);
        EXPECT_TRUE(answer.is_complete);
        EXPECT_EQ(answer.field("content-type"), type);
        EXPECT_EQ(answer.field("content-disposition"),
                  std::string{"attachment; filename=\"a."} + format + '"');
        EXPECT_THAT(members(answer.content),
                    ElementsAre(Pair("a/b/", "/"), Pair("a/b/one.txt", "1"), Pair("a/empty", ""),
                                Pair("a/large", large), Pair("a/none/", "/")))
            << format;
    }
}

TEST_F(Archives, HaveWhatAClientCanFetchAlone) {
    site::TemporaryTree outside;
    outside.write("secret", "s");
    tree.write("a/.hidden", "h");
    tree.write("a/x.bak", "b");
    tree.write("a/kept/file", "k");
    tree.link("a/out", outside.at("secret"));
    tree.link("a/circle", "../a");
    tree.link("a/inside", "kept/file");
    ASSERT_EQ(::mkfifo(tree.at("a/pipe").c_str(), 0600), 0);
    options.hidden = {"*.bak"};
    options.withheld = {tree.at("a/log").string()};
    tree.write("a/log", "l");
    EXPECT_THAT(members(get("/a/?archive=tar").content),
                ElementsAre(Pair("a/inside", "k"), Pair("a/kept/", "/"), Pair("a/kept/file", "k")));
    options.dotfiles = true;
    EXPECT_THAT(members(get("/a/?archive=tar").content), testing::Contains(Pair("a/.hidden", "h")));
}

TEST_F(Archives, LeaveOutWhatTheyAreTold) {
    tree.write("a/b/c", "c");
    tree.write("a/d", "d");
    options.leaves_out = [](const site::Candidate& one) {
        EXPECT_EQ(one.folder, "a");
        EXPECT_EQ(one.asked, "/a/");
        return one.path == "a/b";
    };
    EXPECT_THAT(members(get("/a/?archive=zip").content), ElementsAre(Pair("a/d", "d")));
}

TEST_F(Archives, LeaveOutWhatGoesMeanwhile) {
    tree.write("a/gone", "g");
    tree.write("a/stays", "s");
    options.leaves_out = [this](const site::Candidate& one) {
        if (one.path == "a/gone") std::filesystem::remove(tree.at("a/gone"));
        return false;
    };
    EXPECT_THAT(members(get("/a/?archive=zip").content), ElementsAre(Pair("a/stays", "s")));
}

TEST_F(Archives, HaveNoBackslashInZip) {
    tree.write("a/x\\b", "1");
    EXPECT_THAT(members(get("/a/?archive=zip").content), ElementsAre(Pair("a/x_b", "1")));
    EXPECT_THAT(members(get("/a/?archive=tar").content), ElementsAre(Pair("a/x\\b", "1")));
}

TEST_F(Archives, HaveNamesInUtf8) {
    tree.write("\xc3\xa4 b/\xe6\x97\xa5.txt", "1");
    const auto answer = get("/%C3%A4%20b/?archive=zip");
    EXPECT_EQ(answer.field("content-disposition"),
              "attachment; filename=\"__ b.zip\"; filename*=UTF-8''%C3%A4%20b.zip");
    // Bit 11 of the flags (APPNOTE 4.4.4): the name is UTF-8.
    EXPECT_EQ(static_cast<unsigned char>(answer.content.at(7)) & 8u, 8u);
    EXPECT_NE(answer.content.find("\xc3\xa4 b/\xe6\x97\xa5.txt"), std::string::npos);
    const std::string tar = get("/%C3%A4%20b/?archive=tar").content;
    EXPECT_NE(tar.find("path=\xc3\xa4 b/\xe6\x97\xa5.txt\n"), std::string::npos);
    EXPECT_EQ(tar.find("hdrcharset=BINARY"), std::string::npos);
}

/// The name of the first file of a zip, and true if it is marked as UTF-8 (APPNOTE 4.3.7, 4.4.4).
std::pair<std::string, bool> first_name(const std::string& zip) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(zip.at(at)); };
    return {zip.substr(30, byte(26) + byte(27) * std::size_t{256}), (byte(7) & 8u) != 0};
}

/// Programs read no file of a zip that has one name marked as UTF-8 that is not.
TEST_F(Archives, HaveNamesThatAreNotUtf8) {
    tree.write("a/\xff\xc3\xa4\xe2\x82.txt", "1");
    tree.write("b/\xff", "1");
    tree.write("c\xff/d", "1");
    EXPECT_EQ(first_name(get("/a/?archive=zip").content),
              (std::pair<std::string, bool>{"a/%FF\xc3\xa4%E2%82.txt", true}));
    EXPECT_EQ(first_name(get("/b/?archive=zip").content),
              (std::pair<std::string, bool>{"b/%FF", false}));
    EXPECT_THAT(members(get("/b/?archive=tar").content), ElementsAre(Pair("b/\xff", "1")));
    const auto answer = get("/c%FF/?archive=zip");
    EXPECT_EQ(first_name(answer.content).first, "c%FF/d");
    EXPECT_EQ(answer.field("content-disposition"), "attachment; filename=\"c_.zip\"");
}

TEST_F(Archives, AreForFoldersAndGetAlone) {
    tree.write("a/index.html", "page");
    tree.write("file", "f");
    EXPECT_EQ(get("/a/").content, "page");
    EXPECT_EQ(get("/a/?archivex=zip").content, "page");
    EXPECT_EQ(get("/file?archive=zip").content, "f");
    EXPECT_EQ(get("/file?archive=1").content, "f");
    EXPECT_EQ(get("/none/?archive=zip").status, 404u);
    EXPECT_EQ(get("/a/../../?archive=zip").status, 404u);
    EXPECT_EQ(get("/a/?archive=rar").status, 400u);
    EXPECT_EQ(get("/a?archive=zip").status, 301u);
    EXPECT_THAT(members(get("/a/?x=1&archive=tar").content),
                ElementsAre(Pair("a/index.html", "page")));
    EXPECT_EQ(get("/?archive=zip").field("content-disposition"),
              "attachment; filename=\"files.zip\"");
}

TEST_F(Archives, BreakOffWhereAFileShrinks) {
    tree.write("a/large", std::string(3'000'000, 'x'));
    const auto site = site::Site::open(options);
    const auto handler = around(**site, options, {});
    web::Probe probe{**handler};
    auto exchange = probe.open_blocked("GET", "/a/?archive=tar");
    tree.write("a/large", "short");
    exchange.take(true);
    EXPECT_FALSE(exchange.wait().is_complete);
}

TEST_F(Archives, CountTheirMemory) {
    tree.write("a/one.txt", "1");
    const auto site = site::Site::open(options);
    const auto handler = around(**site, options);
    for (const char* const target : {"/?archive=zip", "/?archive=tar", "/?archive=tar.gz"}) {
        const site::TestRequest request{std::string{"GET "} + target};
        auto reply = (*handler)->handle(request.get());
        auto& content = std::get<http::Response>(reply).content();
        EXPECT_GE(std::get<std::unique_ptr<http::Source>>(content)->bytes(), 500'000u) << target;
    }
}

TEST_F(Archives, AreLimitedInNumber) {
    tree.write("a/large", std::string(3'000'000, 'x'));
    const auto site = site::Site::open(options);
    const auto handler = around(**site, options, {.archives_max = 1});
    web::Probe probe{**handler};
    {
        auto exchange = probe.open_blocked("GET", "/a/?archive=tar");
        const auto busy = probe.get("/a/?archive=zip");
        EXPECT_EQ(busy.status, 503u);
        EXPECT_EQ(busy.field("retry-after"), "5");
        exchange.leave();
    }
    EXPECT_TRUE(ask(probe, "/a/?archive=zip").is_complete);
}

}  // namespace
}  // namespace weir::archive
