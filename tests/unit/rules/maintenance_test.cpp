#include "rules/maintenance.h"

#include <gtest/gtest.h>

#include "seen.h"
#include "unit/access/temporary_file.h"
#include "unit/access/test_clock.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

struct UnderMaintenance : ::testing::Test {
    access::TemporaryFile file;
    Seen site;

    web::Probe::Answer asked(Maintenance& rule) {
        access::test_time().instant += std::chrono::seconds{1};
        return web::Probe{rule}.get("/");
    }
};

TEST_F(UnderMaintenance, TheFileIsThePage) {
    Maintenance rule{site, file.path(), {}, access::test_clock};
    EXPECT_EQ(asked(rule).status, 200u);
    file.write("<h1>Soon</h1>");
    const auto answer = asked(rule);
    EXPECT_EQ(answer.status, 503u);
    EXPECT_EQ(answer.content, "<h1>Soon</h1>");
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(answer.field("Retry-After"), "300");
    EXPECT_EQ(answer.field("Cache-Control"), "no-store");
    file.remove();
    EXPECT_EQ(asked(rule).status, 200u);
}

TEST_F(UnderMaintenance, AnEmptyFileOrAFolderHasWeirsPage) {
    Maintenance rule{site, file.path(), {}, access::test_clock};
    file.write("");
    EXPECT_EQ(asked(rule).status, 503u);
    EXPECT_TRUE(asked(rule).content.contains("maintenance"));
    file.remove();
    std::filesystem::create_directory(file.path());
    EXPECT_EQ(asked(rule).status, 503u);
}

TEST_F(UnderMaintenance, TheFileIsLookedForOnceASecond) {
    Maintenance rule{site, file.path(), {}, access::test_clock};
    EXPECT_EQ(asked(rule).status, 200u);
    file.write("x");
    EXPECT_EQ(web::Probe{rule}.get("/").status, 200u);
    EXPECT_EQ(asked(rule).status, 503u);
}

TEST_F(UnderMaintenance, SomeSeeTheSite) {
    file.write("x");
    Maintenance rule{
        site, file.path(), {*access::Network::parse("192.0.2.0/24")}, access::test_clock};
    EXPECT_EQ(asked(rule).status, 200u);
    Maintenance for_others{
        site, file.path(), {*access::Network::parse("192.0.2.8")}, access::test_clock};
    EXPECT_EQ(asked(for_others).status, 503u);
}

}  // namespace
}  // namespace weir::rules
