#include "live/tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "../site/temporary_tree.h"
#include "site/root/root_path.h"

namespace weir::live {
namespace {

struct Tree : ::testing::Test {
    site::TemporaryTree tree;
    site::RootPath::Choice choice;
    bool dotfiles = false;
    std::vector<std::string> entered;

    Version read() {
        const auto root = site::RootPath::open(tree.string(), choice);
        entered.clear();
        return read_tree((*root)->now(), dotfiles,
                         [this](const std::string& folder) { entered.push_back(folder); });
    }
};

TEST_F(Tree, HasTheSameVersionUntilAFileChanges) {
    tree.write("a/page.html", "1");
    const Version before = read();
    EXPECT_EQ(read(), before);
    tree.write("a/page.html", "two");
    const Version after = read();
    EXPECT_NE(after.pages, before.pages);
    EXPECT_EQ(after.styles, before.styles);
    std::filesystem::remove(tree.at("a/page.html"));
    EXPECT_NE(read().pages, after.pages);
}

TEST_F(Tree, TellsStyleSheetsFromOtherFiles) {
    tree.write("a/Style.CSS", "1");
    const Version before = read();
    tree.write("a/Style.CSS", "two");
    EXPECT_NE(read().styles, before.styles);
    EXPECT_EQ(read().pages, before.pages);
}

TEST_F(Tree, DoesNotHaveWhatNobodyCanFetch) {
    site::TemporaryTree outside;
    outside.write("log", "1");
    tree.write("access.log", "1");
    tree.write("x.bak", "1");
    choice.withheld = std::make_shared<const site::Withheld>(
        std::vector{tree.string() + "/access.log"}, std::vector<std::string>{"*.bak"});
    const Version before = read();
    tree.write(".env", "1");
    tree.write(".git/HEAD", "1");
    tree.write("node_modules/a/b.js", "1");
    tree.write("page.html~", "1");
    tree.write("y.bak", "1");
    tree.write("access.log", "two");
    std::filesystem::create_symlink(outside.at("log"), tree.at("link"));
    EXPECT_EQ(read(), before);
    EXPECT_EQ(entered, std::vector<std::string>{""});
    dotfiles = true;
    const Version with_dotfiles = read();
    EXPECT_NE(with_dotfiles, before);
    tree.write(".git/HEAD", "two");
    EXPECT_EQ(read(), with_dotfiles);
}

TEST_F(Tree, EntersEachFolderOnce) {
    tree.write("a/b/c", "1");
    tree.write(".well-known/x", "1");
    tree.link("a/up", "..");
    read();
    std::ranges::sort(entered);
    EXPECT_EQ(entered, (std::vector<std::string>{"", ".well-known", "a", "a/b"}));
}

TEST_F(Tree, HasAFolderThatALinkAloneLeadsTo) {
    tree.write(".releases/1/a/page.html", "1");
    tree.link("current", ".releases/1");
    tree.link("other", ".releases/1");
    const Version before = read();
    EXPECT_EQ(entered, (std::vector<std::string>{"", "current", "current/a"}));
    tree.write(".releases/1/a/page.html", "two");
    EXPECT_NE(read(), before);
}

TEST_F(Tree, ChangesWithTheTargetOfALink) {
    tree.directory("1");
    tree.directory("2");
    tree.link("current", "1");
    const Version before = read();
    tree.link("next", "2");
    std::filesystem::rename(tree.at("next"), tree.at("current"));
    EXPECT_NE(read(), before);
}

TEST_F(Tree, OfOneFileIsThatFile) {
    tree.write("a", "1");
    choice.file = "a";
    const Version before = read();
    tree.write("b", "1");
    EXPECT_EQ(read(), before);
    tree.write("a", "two");
    EXPECT_NE(read(), before);
}

TEST_F(Tree, ThatIsNotThereHasNoVersion) {
    EXPECT_EQ(read_tree(nullptr, false, [](const std::string&) { FAIL(); }), Version{});
}

TEST(Version, IsTextOfFixedSize) {
    EXPECT_EQ((Version{.pages = 0x1a2b, .styles = ~std::uint32_t{0}}.text()), "00001a2b-ffffffff");
}

}  // namespace
}  // namespace weir::live
