#include <fcntl.h>
#include <sys/resource.h>

#include <vector>

#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

/// Few descriptors are left, for the system and for the budget alike.
class SiteDescriptors : public SiteTest {
   protected:
    SiteDescriptors() { ::getrlimit(RLIMIT_NOFILE, &before_); }
    ~SiteDescriptors() override {
        ::setrlimit(RLIMIT_NOFILE, &before_);
        taken_.clear();
        net::descriptors().measure();
    }
    /// Whatever else may be open, and under which numbers.
    void leave(std::size_t descriptors) {
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = 200;
        ::setrlimit(RLIMIT_NOFILE, &limit);
        do taken_.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        while (taken_.back());
        taken_.resize(taken_.size() - 1 - descriptors);
    }
    void write_large_files(int count) const {
        for (int i = 0; i < count; ++i) tree.write(name(i), std::string(bytes, 'x'));
    }
    static std::string name(int number) { return std::to_string(number) + ".bin"; }
    /// The file's descriptor is in it.
    static http::Reply begin_answer(Site& site, int number) {
        const TestRequest request{"GET /" + name(number)};
        return site.handle(request.get());
    }
    static http::Status status_of(const http::Reply& reply) {
        return std::get<http::Response>(reply).status();
    }

    static constexpr std::size_t bytes = 140'000;
    rlimit before_{};
    std::vector<net::UniqueFd> taken_;
};

TEST_F(SiteDescriptors, TheCacheClosesFilesForOthers) {
    write_large_files(40);
    const auto site = open();
    settled(*site, "GET /" + name(39));
    leave(8);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 40; ++i) ASSERT_EQ(ask(*site, "GET /" + name(i)).status, 200u) << i;
}

TEST_F(SiteDescriptors, TheBudgetHoldsTheCacheBack) {
    write_large_files(60);
    const auto site = open();
    leave(40);
    ASSERT_TRUE(net::descriptors().measure());
    const auto limit = net::descriptors().limit();
    settled(*site, "GET /" + name(59));
    for (int i = 0; i < 60; ++i) ASSERT_EQ(ask(*site, "GET /" + name(i)).status, 200u) << i;
    EXPECT_GT(net::descriptors().used(), limit / 2);
    EXPECT_FALSE(net::descriptors().is_short()) << "the reserve is for files in use";
    for (auto taken = limit - 8; taken > 0; --taken)
        ASSERT_TRUE(net::descriptors().take_for_connection()) << "the cache gives way";
    for (int i = 0; i < 60; ++i) ASSERT_EQ(ask(*site, "GET /" + name(i)).status, 200u) << i;
    for (auto taken = limit - 8; taken > 0; --taken) net::descriptors().give_back();
}

TEST_F(SiteDescriptors, AFileCountsUntilItsLastAnswerIsSent) {
    write_large_files(2);
    const auto site = open({.cache = {.descriptors_max = 1}});
    const auto used = net::descriptors().used();
    {
        settled(*site, "GET /" + name(0));
        const auto reply = begin_answer(*site, 0);
        settled(*site, "GET /" + name(1));  // drives the other out of the cache
        EXPECT_EQ(net::descriptors().used(), used + 2);
    }
    EXPECT_EQ(net::descriptors().used(), used + 1);
}

TEST_F(SiteDescriptors, WithEveryFileInUseTheNextIsRefusedAndLaterServed) {
    write_large_files(30);
    const auto site = open();
    leave(10);
    std::vector<http::Reply> under_way;
    int next = 0;
    do under_way.push_back(begin_answer(*site, next++));
    while (status_of(under_way.back()) == http::Status::ok && next < 30);
    EXPECT_GT(under_way.size(), 5u);
    EXPECT_EQ(status_of(under_way.back()), http::Status::service_unavailable);
    under_way.clear();
    EXPECT_EQ(status_of(begin_answer(*site, next - 1)), http::Status::ok);
}

TEST_F(SiteDescriptors, AVariantThatCouldNotBeOpenedIsNotMissing) {
    tree.write("app.js", std::string(bytes, 'x'));
    tree.set_modified("app.js", 1'000'000'000);
    tree.write("app.js.gz", "compressed");
    const auto site = open();
    // One for the file, and one for the look at its variant: to open that needs two.
    leave(2);
    EXPECT_EQ(ask(*site, "GET /app.js", {"Accept-Encoding: gzip"}).body, std::string(bytes, 'x'));
    ::setrlimit(RLIMIT_NOFILE, &before_);
    EXPECT_EQ(ask(*site, "GET /app.js", {"Accept-Encoding: gzip"}).body, "compressed");
}

}  // namespace
}  // namespace weir::site
