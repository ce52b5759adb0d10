#include "dav/methods/copying.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "../site/temporary_tree.h"

namespace weir::dav {
namespace {

/// The root is a link to a release.
struct Copies : ::testing::Test {
    static constexpr int files = 70;  // more than one piece

    Copies() {
        for (const std::string release : {"1", "2"})
            for (int i = 0; i < files; ++i) tree.write(path_in(release, i), release);
        tree.link("now", "1");
    }

    static std::string path_in(const std::string& release, int file) {
        return release + "/from/" + std::to_string(file);
    }
    Desk desk() const {
        const site::Options site{.root = tree.at("now").string()};
        return {.site = site,
                .options = {},
                .store = *upload::Store::open(site, {}),
                .types = *site::MediaTypes::from({}),
                .withheld = std::make_shared<const site::Withheld>(site.withheld),
                .locks = *LockTable::make()};
    }
    void replace_release() const {
        tree.link("next", "2");
        std::filesystem::rename(tree.at("next"), tree.at("now"));
    }
    int copies_in(const std::string& release) const {
        int count = 0;
        for (int i = 0; i < files; ++i) {
            std::ifstream file{tree.at(release + "/to/" + std::to_string(i))};
            const std::string content{std::istreambuf_iterator<char>{file}, {}};
            if (content == release) ++count;
        }
        return count;
    }

    site::TemporaryTree tree;
};

/// A copy of a folder takes pieces. Another release may replace the root between two of them.
TEST_F(Copies, AreFinishedInTheReleaseInWhichTheyWereBegun) {
    Desk desk = this->desk();
    Asked asked;
    asked.path = "from";
    asked.ends_with_slash = true;
    asked.destination = "/to/";
    Copying copying{desk, asked};
    ASSERT_FALSE(copying.advance());
    replace_release();
    while (!copying.advance()) continue;
    EXPECT_EQ(copying.response().status(), http::Status::created);
    EXPECT_EQ(copies_in("1"), files);
    EXPECT_FALSE(std::filesystem::exists(tree.at("2/to")));
}

}  // namespace
}  // namespace weir::dav
