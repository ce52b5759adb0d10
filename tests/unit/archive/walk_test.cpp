#include "archive/walk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/site/temporary_tree.h"

namespace weir::archive {
namespace {

using site::RootDirectory;
using site::Symlinks;

class WalkTest : public testing::Test {
   protected:
    /// The names, or "error" at the end.
    std::vector<std::string> names(const std::string& folder, bool dotfiles = false) const {
        const RootDirectory root = *RootDirectory::open(tree.string(), Symlinks::inside_root);
        Walk walk{root, folder, "x", dotfiles};
        std::vector<std::string> names;
        for (;;) {
            const auto found = walk.next();
            if (!found) names.emplace_back("error");
            if (!found || !*found) return names;
            names.push_back((*found)->member.name);
        }
    }
    using Names = std::vector<std::string>;

    site::TemporaryTree tree;
};

TEST_F(WalkTest, AFolderComesBeforeItsContent) {
    tree.write("a/b/2", "");
    tree.write("a/b/10", "");
    tree.write("a/c", "");
    tree.directory("a/empty");
    tree.write("other", "");
    EXPECT_EQ(names("a"), (Names{"x/", "x/b/", "x/b/2", "x/b/10", "x/empty/", "x/c"}));
    EXPECT_EQ(names("a/empty"), (Names{"x/"}));
}

TEST_F(WalkTest, HiddenNamesAreLeftOut) {
    tree.write(".git/config", "");
    tree.write("a", "");
    EXPECT_EQ(names(""), (Names{"x/", "x/a"}));
    EXPECT_EQ(names("", true), (Names{"x/", "x/.git/", "x/.git/config", "x/a"}));
}

TEST_F(WalkTest, NoLinkLeadsOutOrInACircle) {
    tree.write("a/file", "");
    tree.link("a/up", "..");
    tree.link("a/self", ".");
    tree.link("a/out", "/etc");
    tree.link("a/passwd", "/etc/passwd");
    tree.link("a/inside", "file");
    EXPECT_EQ(names("a"), (Names{"x/", "x/file", "x/inside"}));
}

TEST_F(WalkTest, ItEndsBeforeAFolderThatIsTooDeep) {
    std::string path = "d";
    for (std::size_t depth = 1; depth < Walk::depth_max; ++depth) path += "/d";
    tree.directory(path);
    EXPECT_EQ(names("d").size(), Walk::depth_max);
    EXPECT_NE(names("d").back(), "error");
    EXPECT_EQ(names("").back(), "error");
}

TEST_F(WalkTest, WhatIsNoFolderIsAnError) { EXPECT_EQ(names("missing"), (Names{"error"})); }

}  // namespace
}  // namespace weir::archive
