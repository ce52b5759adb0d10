#include "upload/room.h"

#include "net/unique_fd.h"
#include "uploading.h"

namespace weir::upload {
namespace {

using Room = Uploading;

TEST_F(Room, IsTakenByFilesOnce) {
    site::TemporaryTree outside;
    outside.write("large", std::string(1000, 'x'));
    tree.write("a/one", "1");
    tree.write("a/b/two", "22");
    tree.write("c", "333");
    tree.write("a/.weir-upload-0", "under way");
    tree.link("a/link", outside.at("large"));
    EXPECT_EQ(bytes_in({tree.string()}), 6u);
    EXPECT_EQ(bytes_in({tree.at("a").string(), tree.at("a/b").string()}), 3u);
    EXPECT_EQ(bytes_in({tree.at("none").string()}), 0u);
}

TEST_F(Room, IsThatOfTheFileSystem) {
    const net::UniqueFd folder{::open(tree.string().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    EXPECT_GT(bytes_free(folder.get()), 0u);
    EXPECT_EQ(bytes_free(-1), ~std::uint64_t{0});
}

}  // namespace
}  // namespace weir::upload
