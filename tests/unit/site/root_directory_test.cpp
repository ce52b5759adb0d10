#include "site/root/root_directory.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

RootDirectory root_of(const TemporaryTree& tree, Symlinks symlinks = Symlinks::inside_root) {
    return *RootDirectory::open(tree.string(), symlinks);
}

/// Returns 0, or the number of the error.
int looking(const RootDirectory& root, const std::string& path) {
    const auto found = root.look(path);
    return found ? 0 : found.error().error.value();
}

TEST(RootDirectory, MustBeADirectory) {
    const TemporaryTree tree;
    tree.write("file", "x");
    const auto missing = RootDirectory::open((tree.at("nothing")).string(), Symlinks::none);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().value(), ENOENT);
    const auto file = RootDirectory::open(tree.at("file").string(), Symlinks::none);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().value(), ENOTDIR);
}

TEST(RootDirectory, FindsWhatIsBelow) {
    const TemporaryTree tree;
    tree.write("a/b.txt", "12345");
    const auto root = root_of(tree);
    EXPECT_EQ(root.look("")->state.kind, FileKind::directory);
    EXPECT_EQ(root.look("a")->state.kind, FileKind::directory);
    EXPECT_EQ(root.look("a/b.txt")->state.kind, FileKind::regular);
    EXPECT_EQ(root.look("a/b.txt")->state.size, 5u);
    EXPECT_EQ(looking(root, "a/c"), ENOENT);
    EXPECT_EQ(looking(root, "a/b.txt/c"), ENOTDIR);
    EXPECT_EQ(looking(root, std::string(300, 'x')), ENAMETOOLONG);
}

TEST(RootDirectory, NothingEscapes) {
    const TemporaryTree outside;
    outside.write("secret", "x");
    const TemporaryTree tree;
    tree.directory("a");
    tree.link("file", outside.at("secret"));
    tree.link("directory", outside.string());
    tree.link("a/up", "../..");
    tree.link("magic", "/proc/self/root");
    const auto root = root_of(tree);
    EXPECT_EQ(looking(root, ".."), EXDEV);
    EXPECT_EQ(looking(root, "a/../.."), EXDEV);
    EXPECT_EQ(looking(root, "/etc/passwd"), EXDEV);
    EXPECT_EQ(looking(root, "file"), EXDEV);
    EXPECT_EQ(looking(root, "directory/secret"), EXDEV);
    EXPECT_EQ(looking(root, "a/up"), EXDEV);
    EXPECT_NE(looking(root, "magic/etc/passwd"), 0);
    EXPECT_FALSE(root.open_file("file"));
    EXPECT_FALSE(root.open_directory("directory"));
}

TEST(RootDirectory, FollowsLinksInsideTheRoot) {
    const TemporaryTree tree;
    tree.write("real/file", "x");
    tree.link("link", "real/file");
    tree.link("real/up", "../real/file");
    tree.link("directory", "real");
    const auto root = root_of(tree);
    for (const auto* const path : {"link", "real/up", "directory/file"}) {
        const auto found = root.look(path);
        ASSERT_TRUE(found) << path;
        EXPECT_TRUE(found->through_link) << path;
        EXPECT_TRUE(root.open_file(path)) << path;
    }
    EXPECT_FALSE(root.look("real/file")->through_link);
    EXPECT_EQ(root.find_directory("directory").error().value(), ELOOP);
}

TEST(RootDirectory, FollowsNoLinkWhereNoneIsWanted) {
    const TemporaryTree tree;
    tree.write("real/file", "x");
    tree.link("link", "real/file");
    tree.link("directory", "real");
    const auto root = root_of(tree, Symlinks::none);
    EXPECT_EQ(looking(root, "link"), ELOOP);
    EXPECT_EQ(looking(root, "directory/file"), ELOOP);
    EXPECT_EQ(looking(root, "real/file"), 0);
    EXPECT_FALSE(root.open_file("link"));
}

TEST(RootDirectory, LinksInACircleEnd) {
    const TemporaryTree tree;
    tree.link("a", "b");
    tree.link("b", "a");
    EXPECT_EQ(looking(root_of(tree), "a"), ELOOP);
}

TEST(RootDirectory, OpensRegularFilesOnlyAndNeverBlocks) {
    const TemporaryTree tree;
    tree.directory("directory");
    ASSERT_EQ(::mkfifo(tree.at("fifo").c_str(), 0600), 0);
    const auto root = root_of(tree);
    EXPECT_EQ(root.look("fifo")->state.kind, FileKind::other);
    EXPECT_EQ(root.open_file("fifo").error().value(), ENOENT);
    EXPECT_EQ(root.open_file("directory").error().value(), ENOENT);
}

TEST(RootDirectory, FindsOutWithoutOpening) {
    // Opening a file can have effects: it wakes the writer of a FIFO, or rewinds a tape.
    const TemporaryTree tree;
    ASSERT_EQ(::mkfifo(tree.at("fifo").c_str(), 0600), 0);
    const net::UniqueFd opens{::inotify_init1(IN_NONBLOCK)};
    ASSERT_GE(::inotify_add_watch(opens.get(), tree.at("fifo").c_str(), IN_OPEN), 0);
    EXPECT_FALSE(root_of(tree).open_file("fifo"));
    char event[512];
    EXPECT_EQ(::read(opens.get(), event, sizeof event), -1) << "somebody opened it";
}

TEST(RootDirectory, SocketsAndDevicesAreNoFiles) {
    const TemporaryTree tree;
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = tree.at("socket").string();
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    const net::UniqueFd socket{::socket(AF_UNIX, SOCK_STREAM, 0)};
    ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const auto root = root_of(tree);
    EXPECT_EQ(root.open_file("socket").error().value(), ENOENT);

    if (::mknod(tree.at("null").c_str(), S_IFCHR | 0600, ::makedev(1, 3)) != 0)
        GTEST_SKIP() << "making a device needs a privilege";
    EXPECT_EQ(root.open_file("null").error().value(), ENOENT);
}

TEST(RootDirectory, WithholdsAFileUnderEveryName) {
    const TemporaryTree tree;
    tree.write("logs/log", "x");
    tree.write("site/file", "x");
    tree.write("site/log", "x");
    tree.link("site/inside", "file");
    const auto withheld = std::make_shared<Withheld>(std::vector{tree.at("logs/log").string()});
    const auto root =
        *RootDirectory::open(tree.at("site").string(), Symlinks::inside_root, withheld);
    std::filesystem::create_hard_link(tree.at("logs/log"), tree.at("site/hard"));
    EXPECT_EQ(looking(root, "hard"), ENOENT);
    EXPECT_EQ(root.open_file("hard").error().value(), ENOENT);
    EXPECT_EQ(looking(root, "log"), 0) << "only its name is the same";
    EXPECT_EQ(looking(root, "inside"), 0);

    std::filesystem::rename(tree.at("logs/log"), tree.at("logs/old"));
    std::filesystem::create_hard_link(tree.at("site/file"), tree.at("logs/log"));
    EXPECT_EQ(looking(root, "inside"), ENOENT) << "it is the log now";
}

TEST(RootDirectory, WithholdsFilesBesideByTheBeginningOfTheirName) {
    const TemporaryTree tree;
    for (const char* const name : {"log", "log.1", "a.txt", "sub/log.1"}) tree.write(name, "x");
    const auto withheld = std::make_shared<Withheld>(std::vector{tree.at("log").string()});
    const auto root = *RootDirectory::open(tree.string(), Symlinks::none, withheld);
    EXPECT_EQ(looking(root, "log.1"), ENOENT);
    EXPECT_EQ(looking(root, "a.txt"), 0);
    EXPECT_EQ(looking(root, "sub/log.1"), 0);
    const auto all = std::make_shared<Withheld>(std::vector{tree.at("sub").string() + "/"});
    const auto other = *RootDirectory::open(tree.string(), Symlinks::none, all);
    EXPECT_EQ(looking(other, "sub/log.1"), ENOENT);
    EXPECT_EQ(looking(other, "log.1"), 0);
    EXPECT_EQ(looking(other, "sub"), 0) << "folders are found";
}

TEST(RootDirectory, StaysTheDirectoryThatWasOpened) {
    const TemporaryTree tree;
    tree.write("site/file", "x");
    const auto root = *RootDirectory::open(tree.at("site").string(), Symlinks::none);
    std::filesystem::rename(tree.at("site"), tree.at("moved"));
    tree.directory("site");
    EXPECT_EQ(looking(root, "file"), 0);
}

}  // namespace
}  // namespace weir::site
