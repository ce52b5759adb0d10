// What Landlock forbids, and what it must still allow.

#include <pty.h>
#include <sys/inotify.h>
#include <sys/syscall.h>

#include "unit/sandbox/in_child.h"

namespace weir::sandbox {
namespace {

struct Files : Sandboxed {
    void SetUp() override { require("files"); }

    std::filesystem::path page() const { return folder / "site" / "page.html"; }
    std::filesystem::path log() const { return folder / "log" / "access.log"; }
};

TEST_F(Files, BelowTheRootAreRead) {
    EXPECT_EQ(open(page(), O_RDONLY), success);
    EXPECT_EQ(open(folder / "site", O_RDONLY | O_DIRECTORY), success);
}

TEST_F(Files, OutsideAreNotRead) {
    EXPECT_EQ(open(folder / "other" / "secret", O_RDONLY), fails_with(EACCES));
    EXPECT_EQ(open(folder / "other", O_RDONLY | O_DIRECTORY), fails_with(EACCES));
    EXPECT_EQ(open("/etc/passwd", O_RDONLY), fails_with(EACCES));
}

TEST_F(Files, OutsideAreNotReadThroughALinkBelowTheRoot) {
    std::filesystem::create_symlink(folder / "other" / "secret", folder / "site" / "link");
    EXPECT_EQ(open(folder / "site" / "link", O_RDONLY), fails_with(EACCES));
}

TEST_F(Files, BelowTheRootAreNotWritten) {
    EXPECT_EQ(open(page(), O_WRONLY), fails_with(EACCES));
    EXPECT_EQ(open(folder / "site" / "new", O_WRONLY | O_CREAT), fails_with(EACCES));
    EXPECT_EQ(open(page(), O_RDONLY | O_TRUNC), fails_with(EACCES));
}

TEST_F(Files, AreNotRemoved) {
    EXPECT_EQ(try_out([&] { return error_of(::unlink(page().c_str())); }), fails_with(EACCES));
    EXPECT_TRUE(std::filesystem::exists(page()));
}

TEST_F(Files, OfALogAreMadeAgainAfterARotation) {
    EXPECT_EQ(open(log(), O_WRONLY | O_APPEND | O_CREAT), success);
    std::filesystem::rename(log(), folder / "log" / "access.log.1");
    EXPECT_EQ(open(log(), O_WRONLY | O_APPEND | O_CREAT), success);
    EXPECT_EQ(open(log(), O_RDONLY), fails_with(EACCES));
}

/// So that a line which a full disk has cut can be taken back after a rotation, too.
TEST_F(Files, OfALogAreMadeShorter) {
    const auto make_shorter = [&] {
        const int fd = ::open(log().c_str(), O_WRONLY | O_APPEND | O_CREAT, 0600);
        return error_of(::ftruncate(fd, 0));
    };
    EXPECT_EQ(try_out(make_shorter), success);
}

TEST_F(Files, OfALogAreWrittenThroughALink) {
    std::filesystem::create_directory(folder / "disk");
    std::filesystem::create_symlink(folder / "disk" / "access.log", log());
    EXPECT_EQ(open(log(), O_WRONLY | O_APPEND | O_CREAT), success);
    std::filesystem::remove(log());
    EXPECT_EQ(open(log(), O_WRONLY | O_APPEND | O_CREAT), success);
}

TEST_F(Files, ThatAreDevicesLendNothingToTheirNeighbours) {
    allowed.write = {"/dev/null"};
    EXPECT_EQ(open("/dev/null", O_WRONLY), success);
    EXPECT_EQ(open("/dev/zero", O_WRONLY), fails_with(EACCES));
}

TEST_F(Files, OfTerminalsAreOpenedAgain) {
    int parent = -1;
    int terminal = -1;
    if (::openpty(&parent, &terminal, nullptr, nullptr, nullptr) != 0) GTEST_SKIP();
    allowed.write = {"/proc/self/fd/" + std::to_string(terminal)};
    EXPECT_EQ(open(allowed.write.front(), O_WRONLY | O_NOCTTY), success);
    EXPECT_EQ(try_out([&] {
                  const int again = ::open(allowed.write.front().c_str(), O_WRONLY | O_NOCTTY);
                  return ::isatty(again) == 1 ? 0 : errno;
              }),
              success);
    ::close(parent);
    ::close(terminal);
}

TEST_F(Files, AreRemovedIfTheyAreTheServersSockets) {
    const auto path = folder / "log" / "socket";
    std::ofstream{path} << "";
    allowed.remove = {path};
    EXPECT_EQ(try_out([&] { return error_of(::unlink(path.c_str())); }), success);
}

/// A file in the folder that gets its name at the end, and one that takes its place.
TEST_F(Files, OfUploadsAreMadeAndReplacedInTheirFolders) {
    const auto put_into = [](const std::filesystem::path& place) {
        const int at = ::open(place.c_str(), O_PATH | O_DIRECTORY);
        const int file = ::openat(at, ".", O_TMPFILE | O_WRONLY, 0644);
        if (file < 0) return errno;
        const auto path = "/proc/self/fd/" + std::to_string(file);
        for (const char* const name : {"new", "between"})
            if (::linkat(AT_FDCWD, path.c_str(), at, name, AT_SYMLINK_FOLLOW) != 0) return errno;
        if (::syscall(SYS_renameat2, at, "between", at, "page.html", 0) != 0) return errno;
        return error_of(::fsync(file));
    };
    std::filesystem::create_directory(folder / "site" / "in");
    allowed.uploads = {folder / "site" / "in"};
    EXPECT_EQ(try_out([&] { return put_into(folder / "site" / "in"); }), success);
    EXPECT_TRUE(std::filesystem::exists(folder / "site" / "in" / "page.html"));
    EXPECT_EQ(try_out([&] { return put_into(folder / "site"); }), fails_with(EACCES));
    EXPECT_EQ(open(folder / "site" / "in" / "new", O_WRONLY), success);
    EXPECT_EQ(open(page(), O_WRONLY), fails_with(EACCES));
    EXPECT_EQ(try_out([&] {
                  const auto moved = folder / "site" / "in" / "moved";
                  return error_of(static_cast<int>(::syscall(
                      SYS_renameat2, AT_FDCWD, page().c_str(), AT_FDCWD, moved.c_str(), 0)));
              }),
              fails_with(EACCES));
}

/// Folders that are made, moved and removed, with a file that moves from one to the other.
TEST_F(Files, OfFoldersAreMovedInTheirFolders) {
    const auto change = [](const std::filesystem::path& place) {
        const int at = ::open(place.c_str(), O_PATH | O_DIRECTORY);
        for (const char* const name : {"a", "b"})
            if (::mkdirat(at, name, 0755) != 0) return errno;
        if (::openat(at, "a/file", O_CREAT | O_WRONLY, 0644) < 0) return errno;
        for (const auto& [from, to] : {std::pair{"a/file", "b/file"}, {"a", "b/a"}})
            if (::syscall(SYS_renameat2, at, from, at, to, RENAME_NOREPLACE) != 0) return errno;
        if (::unlinkat(at, "b/file", 0) != 0) return errno;
        return error_of(::unlinkat(at, "b/a", AT_REMOVEDIR));
    };
    std::filesystem::create_directory(folder / "site" / "in");
    allowed.folders = {folder / "site" / "in"};
    EXPECT_EQ(try_out([&] { return change(folder / "site" / "in"); }), success);
    EXPECT_EQ(try_out([&] { return change(folder / "site"); }), fails_with(EACCES));
    allowed.folders.clear();
    allowed.uploads = {folder / "site" / "in"};
    EXPECT_NE(try_out([&] { return change(folder / "site" / "in"); }), success);
}

TEST_F(Files, OfDirectoriesBelowTheRootAreWatched) {
    EXPECT_EQ(try_out([&] {
                  const int watches = ::inotify_init1(IN_CLOEXEC);
                  const int site = ::open((folder / "site").c_str(), O_PATH | O_DIRECTORY);
                  const auto path = "/proc/self/fd/" + std::to_string(site);
                  return error_of(::inotify_add_watch(watches, path.c_str(), IN_MODIFY));
              }),
              success);
}

TEST_F(Files, LimitsHoldForProcessesToo) {
    allowed.processes = true;
    EXPECT_EQ(try_out([&] {
                  return in_child([] { return error_of(::open("/etc/passwd", O_RDONLY)); }).number;
              }),
              fails_with(EACCES));
}

}  // namespace
}  // namespace weir::sandbox
