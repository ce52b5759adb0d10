// A separate program, because it replaces syscall(2), for openat2(2) has no other wrapper, pread(2) and stat(2).
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <string>

#include "unit/site/site_fixture.h"

namespace {
/// The next look at this path fails with that error; it is 0 afterwards.
struct Fault {
    std::string path;
    int error = 0;
};
Fault fault;
int error_of_next_read = 0;
}  // namespace

extern "C" ssize_t __real_pread(int, void*, size_t, off_t);
extern "C" ssize_t __wrap_pread(int fd, void* buffer, size_t size, off_t offset) {
    if (error_of_next_read == 0) return __real_pread(fd, buffer, size, offset);
    errno = std::exchange(error_of_next_read, 0);
    return -1;
}

extern "C" int __real_stat(const char*, struct stat*);
extern "C" int __wrap_stat(const char* path, struct stat* status) {
    if (fault.error == 0 || fault.path != path) return __real_stat(path, status);
    errno = std::exchange(fault.error, 0);
    return -1;
}

extern "C" long __real_syscall(long, ...);
extern "C" long __wrap_syscall(long number, ...) {
    va_list more;
    va_start(more, number);
    long arguments[6];
    for (long& argument : arguments) argument = va_arg(more, long);
    va_end(more);
    if (number == SYS_openat2 && fault.error != 0 &&
        fault.path == reinterpret_cast<const char*>(arguments[1])) {
        errno = std::exchange(fault.error, 0);
        return -1;
    }
    return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
}

namespace weir::site {
namespace {

class SiteFaults : public SiteTest, public testing::WithParamInterface<int> {
   protected:
    SiteFaults() {
        tree.write("d/app.js", "identity");
        tree.set_modified("d/app.js", 1'000'000'000);
        tree.write("d/app.js.gz", "compressed");
        tree.write("d/index.html", "page");
        tree.write("d/second.html", "other page");
        tree.set_modified("d/app.js.gz", 1'100'000'000);
        tree.set_modified("d/index.html", 1'100'000'000);
    }
    ~SiteFaults() override { EXPECT_EQ(fault.error, 0) << "it was never looked at"; }
    static void fail_once(const std::string& path) { fault = {path, GetParam()}; }
    static std::string body_of_compressed(Site& site) {
        return ask(site, "GET /d/app.js", {"Accept-Encoding: gzip"}).body;
    }
};
INSTANTIATE_TEST_SUITE_P(, SiteFaults, testing::Values(EMFILE, ENFILE, ENOMEM, EIO),
                         [](const auto& each) {
                             return std::string{::strerrorname_np(each.param)};
                         });

TEST_P(SiteFaults, AVariantIsLookedForAgain) {
    const auto site = open();
    fail_once("d/app.js.gz");
    EXPECT_EQ(body_of_compressed(*site), "identity") << "what can be served is";
    EXPECT_EQ(body_of_compressed(*site), "compressed");
}

TEST_P(SiteFaults, AnIndexPageIsNotReplacedByAnother) {
    const auto site = open({.index_names = {"index.html", "second.html"}});
    fail_once("d/index.html");
    EXPECT_GE(ask(*site, "GET /d/").status, 500u);
    EXPECT_EQ(ask(*site, "GET /d/").body, "page");
}

TEST_P(SiteFaults, ACleanAddressIsNotRedirected) {
    const auto site = open({.clean_urls = true});
    fail_once("d/app.js");
    EXPECT_GE(ask(*site, "GET /d/app.js").status, 500u);
    EXPECT_EQ(ask(*site, "GET /d/app.js").body, "identity");
}

TEST_P(SiteFaults, ADirectoryIsWatchedTheNextTime) {
    const auto site = open();
    fail_once("d");
    EXPECT_EQ(ask(*site, "GET /d/app.js").body, "identity");
    settled(*site, "GET /d/app.js");
    tree.write("d/app.js", "changed!");
    expect_body(*site, "GET /d/app.js", "changed!");
}

TEST_P(SiteFaults, AListingIsWholeOrNotThere) {
    tree.remove("d/index.html");
    const auto site = open({.listing = true});
    fail_once("d/second.html");
    EXPECT_GE(ask(*site, "GET /d/").status, 500u);
    EXPECT_TRUE(ask(*site, "GET /d/").body.contains("second.html"));
}

TEST_P(SiteFaults, TheFileItself) {
    const auto site = open();
    fail_once("d/app.js");
    EXPECT_GE(ask(*site, "GET /d/app.js").status, 500u);
    EXPECT_EQ(ask(*site, "GET /d/app.js").body, "identity");
}

/// The first log's inode may belong to another file now.
TEST_P(SiteFaults, AFileIsNotTakenForALogThatCannotBeLookedUp) {
    tree.write("log", "");
    const auto site = open({.withheld = {tree.at("log").string()}});
    std::filesystem::rename(tree.at("log"), tree.at("d/new.txt"));
    tree.write("log", "");
    fail_once(tree.at("log").string());
    EXPECT_GE(ask(*site, "GET /d/new.txt").status, 500u);
    EXPECT_EQ(ask(*site, "GET /d/new.txt").status, 200u);
}

TEST_P(SiteFaults, ALogThatCannotBeLookedUpIsNotServed) {
    tree.write("log", "");
    const auto site = open({.withheld = {tree.at("log").string()}});
    std::filesystem::rename(tree.at("log"), tree.at("other"));
    tree.write("log", "");
    fail_once(tree.at("log").string());
    EXPECT_GE(ask(*site, "GET /log").status, 500u);
    EXPECT_EQ(ask(*site, "GET /log").status, 404u);
}

TEST_P(SiteFaults, AFileBesideALogIsNotServedWhileTheFolderCannotBeLookedUp) {
    tree.write("logs/log", "");
    tree.write("logs/log.1", "");
    const auto site = open({.withheld = {tree.at("logs/log").string()}});
    fail_once(tree.at("logs").string() + "/");
    EXPECT_GE(ask(*site, "GET /logs/log.1").status, 500u);
    EXPECT_EQ(ask(*site, "GET /logs/log.1").status, 404u);
}

/// Network file systems may be interrupted.
TEST_F(SiteTest, AReadThatIsInterruptedGoesOn) {
    tree.write("a.txt", "text");
    const auto site = open();
    error_of_next_read = EINTR;
    EXPECT_EQ(ask(*site, "GET /a.txt").body, "text");
    EXPECT_EQ(error_of_next_read, 0);
}

TEST_F(SiteTest, AReadThatFailsIsNoAnswer) {
    tree.write("a.txt", "text");
    const auto site = open();
    error_of_next_read = EIO;
    EXPECT_GE(ask(*site, "GET /a.txt").status, 500u);
    EXPECT_EQ(ask(*site, "GET /a.txt").body, "text");
}

}  // namespace
}  // namespace weir::site
