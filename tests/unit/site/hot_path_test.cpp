// A separate program, because it replaces the allocation functions of the whole process.
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <new>

#include "unit/site/site_fixture.h"

namespace {
thread_local long allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*kind*/) noexcept {
    ++allocations;
    return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace weir::site {
namespace {

class HotPath : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("small.html", std::string(1000, 'x'));
        tree.write("large.bin", std::string(200'000, 'x'));
    }

    static long allocations_of(Site& site, const std::string& line,
                               const std::vector<std::string>& fields = {}) {
        const TestRequest request{line, fields};
        const long before = allocations;
        for (int i = 0; i < 10; ++i) {
            const http::Reply reply = site.handle(request.get());
            EXPECT_LT(http::code(std::get<http::Response>(reply).status()), 400u);
        }
        return allocations - before;
    }
};

TEST_F(HotPath, CountsAllocationsAtAll) {
    const auto site = open();
    EXPECT_GT(allocations_of(*site, "GET /small.html"), 0) << "it was loaded";
}

TEST_F(HotPath, ACachedFileAllocatesNothing) {
    const auto site = open();
    settled(*site, "GET /small.html");
    settled(*site, "GET /large.bin");
    EXPECT_EQ(allocations_of(*site, "GET /small.html"), 0);
    EXPECT_EQ(allocations_of(*site, "HEAD /small.html"), 0);
    EXPECT_EQ(allocations_of(*site, "GET /large.bin"), 0);
}

TEST_F(HotPath, NorDoesWhatABrowserAsksFor) {
    const auto site = open();
    settled(*site, "GET /small.html");
    EXPECT_EQ(allocations_of(*site, "GET /small.html",
                             {"Accept: text/html", "Accept-Encoding: gzip, deflate, br, zstd"}),
              0);
    EXPECT_EQ(allocations_of(*site, "GET /small.html", {"If-None-Match: *"}), 0);
}

TEST_F(HotPath, NorDoRulesAndCorsForAllOrigins) {
    const auto site = open({.cors_origins = {"*"},
                            .fields = {{.glob = "/**", .name = "X-A", .value = "1"},
                                       {.glob = "/**", .name = "Vary", .value = "X-B"}}});
    settled(*site, "GET /small.html");
    EXPECT_EQ(allocations_of(*site, "GET /small.html", {"Origin: https://a.example"}), 0);
    EXPECT_EQ(allocations_of(*site, "GET /small.html", {"If-None-Match: *"}), 0);
}

TEST_F(HotPath, CorsForSomeOriginsAllocatesTheirFieldAlone) {
    const auto site = open({.cors_origins = {"https://a.example"}});
    settled(*site, "GET /small.html");
    EXPECT_EQ(allocations_of(*site, "GET /small.html"), 0);
    EXPECT_EQ(allocations_of(*site, "GET /small.html", {"Origin: https://b.example"}), 0);
    EXPECT_LE(allocations_of(*site, "GET /small.html", {"Origin: https://a.example"}), 10)
        << "one for each of ten answers";
}

TEST_F(HotPath, AHitNeedsNoSystemCall) {
    if (tests::sanitized) GTEST_SKIP() << "a sanitizer makes system calls of its own";
    const auto site = open();
    EXPECT_TRUE(in_child([&] {
        site->resume_watching();
        settled(*site, "GET /small.html");
        settled(*site, "GET /large.bin");
        int ends[2];
        if (::pipe(ends) != 0) return false;
        std::thread{[&] {
            const TestRequest small{"GET /small.html"};
            const TestRequest large{"GET /large.bin", {"Accept-Encoding: br"}};
            (void)site->handle(small.get());
            (void)site->handle(large.get());
            // From here on, the kernel kills this thread for any system call except read, write and
            // exit.
            ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
            for (int i = 0; i < 10; ++i) {
                (void)site->handle(small.get());
                (void)site->handle(large.get());
            }
            (void)!::write(ends[1], "x", 1);
            ::syscall(SYS_exit, 0);
        }}.detach();
        pollfd done{.fd = ends[0], .events = POLLIN, .revents = 0};
        return ::poll(&done, 1, static_cast<int>(tests::time_limit.count())) == 1;
    }));
}

}  // namespace
}  // namespace weir::site
