#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/session.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// A program, and clients with a session each.
struct MemoryStore : ::testing::Test {
    std::chrono::sys_seconds now{1'000'000'000s};
    Router router;
    Probe probe{router};

    MemoryStore() {
        router.get("/set/{value}", [](const Call& call) {
            Session::of(call).set("user", std::string{call.parameter("value")});
            return "set";
        });
        router.get("/", [](const Call& call) {
            return std::string{Session::of(call).get("user").value_or("nothing")};
        });
    }
    void use(MemorySessions bounds) {
        router.use(sessions(memory_sessions(bounds), {.clock = [this] { return now; }}));
    }
    /// Returns the cookie.
    std::string begin(std::string_view user) {
        const auto answer = probe.get("/set/" + std::string{user});
        const std::string_view line = answer.field("Set-Cookie");
        return std::string{line.substr(0, line.find(';'))};
    }
    std::string user(const std::string& cookie) {
        return probe.get("/", {{"Cookie", cookie}}).content;
    }
    void expect_that_the_oldest_goes() {
        const std::string ann = begin("ann"), bob = begin("bob");
        EXPECT_EQ(user(ann) + user(bob), "annbob");
        probe.get("/set/eve", {{"Cookie", ann}});  // the oldest is bob's from here on
        const std::string tom = begin("tom");
        EXPECT_EQ(user(ann) + user(bob) + user(tom), "evenothingtom");
    }
};

TEST_F(MemoryStore, IsLimitedInNumber) {
    use({.sessions_max = 2});
    expect_that_the_oldest_goes();
}

TEST_F(MemoryStore, IsLimitedInBytes) {
    use({.bytes_max = 2 * (256 + 4 + 3)});
    expect_that_the_oldest_goes();
    const std::string ann = begin("ann");
    probe.get("/set/" + std::string(5, 'x'), {{"Cookie", ann}});
    EXPECT_EQ(user(ann), "xxxxx") << "one that grows takes the place of an older one";
    EXPECT_EQ(user(begin(std::string(300, 'x'))), "nothing") << "one that is too large has none";
    EXPECT_EQ(user(begin("bob")), "bob");
}

TEST_F(MemoryStore, DeletesExpiredSessionsForNewOnes) {
    use({});
    const std::string ann = begin("ann");
    now += 30min;
    const std::string bob = begin("bob");
    now -= 30min;  // the session would be valid again
    EXPECT_EQ(user(ann) + user(bob), "nothingbob");
}

}  // namespace
}  // namespace weir::web
