#include "rules/answer/maintenance.h"

#include <gtest/gtest.h>

#include "seen.h"
#include "temporary_file.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

struct UnderMaintenance : ::testing::Test {
    TemporaryFile file;
    Seen site;

    web::Probe::Answer asked(Maintenance& rule) {
        test_time() += look_pause;
        return web::Probe{rule}.get("/");
    }
};

TEST_F(UnderMaintenance, TheFileIsThePage) {
    Maintenance rule{{.file = file.path(), .clock = test_clock}, site};
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
    Maintenance rule{{.file = file.path(), .clock = test_clock}, site};
    file.write("");
    EXPECT_EQ(asked(rule).status, 503u);
    EXPECT_TRUE(asked(rule).content.contains("maintenance"));
    file.remove();
    std::filesystem::create_directory(file.path());
    EXPECT_EQ(asked(rule).status, 503u);
}

TEST_F(UnderMaintenance, TheFileIsLookedForOnceASecond) {
    Maintenance rule{{.file = file.path(), .clock = test_clock}, site};
    EXPECT_EQ(asked(rule).status, 200u);
    file.write("x");
    EXPECT_EQ(web::Probe{rule}.get("/").status, 200u);
    EXPECT_EQ(asked(rule).status, 503u);
}

TEST_F(UnderMaintenance, SomeSeeTheSite) {
    file.write("x");
    Maintenance rule{
        {.file = file.path(), .exceptions = {*Network::parse("192.0.2.0/24")}, .clock = test_clock},
        site};
    EXPECT_EQ(asked(rule).status, 200u);
    Maintenance for_others{
        {.file = file.path(), .exceptions = {*Network::parse("192.0.2.8")}, .clock = test_clock},
        site};
    EXPECT_EQ(asked(for_others).status, 503u);
}

}  // namespace
}  // namespace weir::rules
