// Which requests are answered by an archive. What is in it, tar and Python's zipfile say: see
// tests/end_to_end/archives_test.py.

#include "archive/folders.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/site/temporary_tree.h"
#include "weir/web/probe.h"

namespace weir::archive {
namespace {

/// Stands in for the site.
class Site final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override {
        http::Response response;
        response.content(std::string{"site"});
        return response;
    }
};

class FoldersTest : public testing::Test {
   protected:
    FoldersTest() {
        tree.write("folder/file.txt", "content");
        tree.write("folder/.hidden/x", "");
        tree.write("\xc3\xa4 \"b\"/x", "");
    }
    web::Probe::Answer ask(std::string_view target, std::string_view method = "GET") {
        return probe.ask(method, target);
    }

    site::TemporaryTree tree;
    Site site;
    std::unique_ptr<Folders> folders = Folders::around(site, {.root = tree.string()}).value();
    web::Probe probe{*folders};
};

TEST_F(FoldersTest, AFolderIsAnArchive) {
    const auto tar = ask("/folder/?archive=tar");
    EXPECT_EQ(tar.status, 200u);
    EXPECT_EQ(tar.field("Content-Type"), "application/x-tar");
    EXPECT_EQ(tar.field("Content-Disposition"), "attachment; filename=\"folder.tar\"");
    EXPECT_EQ(tar.content.size() % 512, 0u);
    EXPECT_TRUE(tar.content.starts_with("folder/"));
    EXPECT_TRUE(tar.content.contains("content"));
    const auto zip = ask("/folder/?archive=zip");
    EXPECT_EQ(zip.field("Content-Type"), "application/zip");
    EXPECT_TRUE(zip.content.starts_with("PK\x03\x04"));
    EXPECT_TRUE(ask("/?archive=tar").content.starts_with("root/"));
}

TEST_F(FoldersTest, HeadHasTheFields) {
    const auto head = ask("/folder/?archive=tar", "HEAD");
    EXPECT_EQ(head.status, 200u);
    EXPECT_EQ(head.field("Content-Type"), "application/x-tar");
    EXPECT_EQ(head.content, "");
}

TEST_F(FoldersTest, AllElseIsTheSites) {
    for (const char* const target :
         {"/folder/", "/folder/?archive=rar", "/folder/?archive=tar&x", "/folder?archive=tar",
          "/folder/file.txt?archive=tar", "/folder/file.txt/?archive=tar", "/missing/?archive=tar",
          "/folder/.hidden/?archive=tar", "/%zz/?archive=tar", "/../?archive=tar"})
        EXPECT_EQ(ask(target).content, "site") << target;
    EXPECT_EQ(ask("/folder/?archive=tar", "POST").content, "site");
}

TEST_F(FoldersTest, ANameIsEscaped) {
    EXPECT_EQ(ask("/%C3%A4%20%22b%22/?archive=zip").field("Content-Disposition"),
              "attachment; filename=\"__ _b_.zip\"; filename*=UTF-8''%C3%A4%20%22b%22.zip");
}

TEST_F(FoldersTest, AFileThatCanNotBeReadEndsIt) {
    auto exchange = probe.open_blocked("GET", "/folder/?archive=tar");
    tree.write("folder/file.txt", std::string(4'000'000, 'x'));
    auto longer = probe.open_blocked("GET", "/folder/?archive=tar");
    tree.write("folder/file.txt", "short");
    longer.take(true);
    EXPECT_FALSE(longer.wait().is_complete);
}

}  // namespace
}  // namespace weir::archive
