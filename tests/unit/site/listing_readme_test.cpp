#include "site/listing/listing_readme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "site/listing/folder_reader.h"
#include "site/listing/listing.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

using testing::HasSubstr;
using testing::Not;

class ListingReadme : public testing::Test {
   protected:
    TemporaryTree tree;

    std::optional<Readme> readme(const std::string& directory = "") const {
        const auto root = std::make_shared<const RootDirectory>(
            *RootDirectory::open(tree.string(), Symlinks::inside_root));
        FolderReader reader{*open_folder(root, directory), {}};
        while (!*reader.advance()) continue;
        return read_readme(*root, directory, reader.take().readme());
    }
};

TEST_F(ListingReadme, IsFoundInAnyCaseAndTheBestFirst) {
    tree.write("other.md", "x");
    EXPECT_FALSE(readme());
    tree.write("readme.TXT", "text");
    EXPECT_EQ(readme()->text, "text");
    tree.write("Readme.md", "markdown");
    EXPECT_EQ(readme()->name, "Readme.md");
    tree.write("README", "plain");
    EXPECT_EQ(readme()->text, "plain");
    tree.write("sub/README.rst", "below");
    EXPECT_EQ(readme("sub")->text, "below");
}

TEST_F(ListingReadme, IsAFileThatCanBeFetched) {
    const TemporaryTree outside;
    outside.write("secret", "x");
    tree.directory("README");
    tree.link("README.md", outside.at("secret"));
    tree.write("README.txt", "");
    EXPECT_FALSE(readme());
}

TEST_F(ListingReadme, IsText) {
    tree.write("README", std::string_view{"a\0b", 3});
    EXPECT_FALSE(readme());
    tree.write("README", "Gr\xfc\xdf");  // Latin-1
    EXPECT_FALSE(readme());
    tree.write("README", "Gr\xc3\xbc\xc3\x9f");
    EXPECT_EQ(readme()->text, "Gr\xc3\xbc\xc3\x9f");
}

TEST_F(ListingReadme, IsCutAfter64KBetweenCharacters) {
    constexpr std::size_t limit = 64 * 1024;
    tree.write("README", std::string(limit, 'x'));
    EXPECT_EQ(readme()->text.size(), limit);
    EXPECT_FALSE(readme()->cut);
    tree.write("README", std::string(limit - 2, 'x') + "\xe2\x82\xac and more");
    const auto cut = readme();
    EXPECT_EQ(cut->text, std::string(limit - 2, 'x'));
    EXPECT_TRUE(cut->cut);
    Listing listing{.path = "/", .readme = cut};
    EXPECT_THAT(listing_as_html(listing),
                HasSubstr("<a href=\"./README\">Open the whole file</a>"));
    listing.readme->cut = false;
    EXPECT_THAT(listing_as_html(listing), Not(HasSubstr("Open the whole file")));
}

}  // namespace
}  // namespace weir::site
