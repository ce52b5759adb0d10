// Changes that the kernel does not report: they are seen when an entry is looked at again.

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include <filesystem>

#include "net/unique_fd.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteRevalidation : public SiteTest {
   protected:
    std::unique_ptr<Site> open_one() const {
        return open({.cache = {.revalidate = std::chrono::milliseconds{20}}});
    }
};

TEST_F(SiteRevalidation, WrittenThroughAMapping) {
    tree.write("a.txt", "one");
    const auto site = open_one();
    settled(*site, "GET /a.txt");
    const auto before = tree.status("a.txt").st_mtim;
    const net::UniqueFd file{::open(tree.at("a.txt").c_str(), O_RDWR | O_CLOEXEC)};
    char* const bytes =
        static_cast<char*>(::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
    ASSERT_NE(bytes, MAP_FAILED);
    std::memcpy(bytes, "two", 3);
    ASSERT_EQ(::msync(bytes, 3, MS_SYNC), 0);
    const auto after = tree.status("a.txt").st_mtim;
    const bool is_seen = before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec;
    if (is_seen) expect_body(*site, "GET /a.txt", "two");  // while it is mapped
    ::munmap(bytes, 3);
    if (!is_seen) GTEST_SKIP() << "this file system keeps the time of a file that is written so";
}

TEST_F(SiteRevalidation, AMappingThatIsReleasedIsReported) {
    tree.write("a.txt", "one");
    const auto site = open({.cache = {.revalidate = std::chrono::milliseconds{0}}});
    settled(*site, "GET /a.txt");
    net::UniqueFd file{::open(tree.at("a.txt").c_str(), O_RDWR | O_CLOEXEC)};
    char* const bytes =
        static_cast<char*>(::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
    ASSERT_NE(bytes, MAP_FAILED);
    file.reset();
    std::memcpy(bytes, "two", 3);
    ::munmap(bytes, 3);
    expect_body(*site, "GET /a.txt", "two");
}

TEST_F(SiteRevalidation, WrittenUnderANameThatCameLater) {
    tree.write("b.txt", "one");
    const TemporaryTree outside;
    const auto site = open_one();
    settled(*site, "GET /b.txt");
    std::filesystem::create_hard_link(tree.at("b.txt"), outside.at("other"));
    outside.write("other", "two");
    expect_body(*site, "GET /b.txt", "two");
}

TEST_F(SiteRevalidation, MountedOver) {
    if (tests::sanitized) GTEST_SKIP() << "ThreadSanitizer allows no thread after such a fork";
    tree.write("a.txt", "one");
    tree.write("b.txt", "two");
    EXPECT_TRUE(in_child([&] {
        if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return true;
        if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return true;
        const auto site = open_one();
        settled(*site, "GET /a.txt");
        if (::mount(tree.at("b.txt").c_str(), tree.at("a.txt").c_str(), nullptr, MS_BIND,
                    nullptr) != 0)
            return true;
        expect_body(*site, "GET /a.txt", "two");
        return !testing::Test::HasFailure();
    }));
}

TEST_F(SiteRevalidation, WhatHasNotChangedStaysAsItWas) {
    tree.write("large.bin", std::string(200'000, 'x'));
    const auto site = open_one();
    const auto first = settled(*site, "GET /large.bin");
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{100};
    while (std::chrono::steady_clock::now() < end)
        ASSERT_EQ(ask(*site, "GET /large.bin").fields, first.fields);
}

TEST_F(SiteTest, WatchingIsResumedOnlyWhereItIsWantedAndHasStopped) {
    const auto threads = [] {
        return std::distance(std::filesystem::directory_iterator{"/proc/self/task"}, {});
    };
    const auto watches_nothing = open({.cache = {.watches_max = 0}});
    const auto watches = open();
    const auto before = threads();  // those of earlier tests may still be leaving
    watches_nothing->resume_watching();
    watches->resume_watching();
    EXPECT_LE(threads(), before);
    EXPECT_TRUE(watches->watching());
}

}  // namespace
}  // namespace weir::site
