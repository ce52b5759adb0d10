#include "upload/store.h"

#include <filesystem>
#include <string>

#include "conditions_of.h"
#include "uploading.h"

namespace weir::upload {
namespace {

using Stores = Uploading;

TEST_F(Stores, FinishAFileInTheReleaseInWhichItWasBegun) {
    for (const std::string release : {"1", "2"}) {
        tree.write(release + "/a", release);
        tree.set_modified(release + "/a", 784'111'777 + std::stoi(release));
    }
    tree.link("now", "1");
    options.root = tree.at("now").string();
    uploads.overwrites = true;
    const auto store = *Store::open(options, uploads);
    const auto conditions =
        conditions_of({{"If-Match", std::string{probe().get("/a").field("ETag")}}});
    const Target target{.folder = "", .name = "a"};
    auto begun = store->begin(target, conditions, 3);
    begun.file.write("new");
    tree.link("next", "2");
    std::filesystem::rename(tree.at("next"), tree.at("now"));
    EXPECT_EQ(store->finish(begun, target, conditions, 3), Put::replaced);
    EXPECT_EQ(content("1/a"), "new");
    EXPECT_EQ(content("2/a"), "2");
}

}  // namespace
}  // namespace weir::upload
