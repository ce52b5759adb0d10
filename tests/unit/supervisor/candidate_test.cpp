#include "supervisor/candidate.h"

#include <gtest/gtest.h>

#include "net/clock.h"

namespace weir::supervisor {
namespace {

std::string why_not(std::string_view answer) {
    const auto version = version_in(answer, "/bin/weir");
    return version ? "" : version.error();
}

/// The result of a program that is asked.
std::expected<Program, std::string> asked(const std::string& path) {
    auto candidate = Candidate::ask(path, never);
    if (!candidate) return std::unexpected{candidate.error()};
    for (;;) {
        if (auto found = candidate->look(net::read_instant())) return std::move(*found);
        std::vector<pollfd> watched;
        candidate->watch(watched);
        ::poll(watched.data(), watched.size(), -1);
    }
}

TEST(Candidate, KnowsWhatThisProgramHandsOver) {
    EXPECT_EQ(version_in(abilities("1.2.0"), "weir"), "1.2.0");
    EXPECT_EQ(version_in("weir 9\nhandover 1 2 3\nsupervisor 2 1\nmore 7\n", "weir"), "9");
}

TEST(Candidate, OfAnotherHandoverIsRefused) {
    for (const auto* const answer : {"weir 9\nhandover 9\nsupervisor 1\n",
                                     "weir 9\nhandover 2\nsupervisor 11\n", "weir 9\nhandover 2\n"})
        EXPECT_EQ(why_not(answer),
                  "/bin/weir is weir 9, which does not know what this one hands over: restart the "
                  "server");
}

TEST(Candidate, ThatSaysSomethingElseIsRefused) {
    EXPECT_EQ(why_not(""), "/bin/weir does not say that it can take over");
    EXPECT_EQ(why_not("lost a library\nx"),
              "/bin/weir does not say that it can take over: lost a library");
    EXPECT_EQ(why_not("cannot run /bin/weir: no"), "cannot run /bin/weir: no");
}

TEST(Candidate, IsAskedAsAProcess) {
    const auto silent = asked("/bin/true");
    ASSERT_FALSE(silent.has_value());
    EXPECT_EQ(silent.error(), "/bin/true does not say that it can take over");
    for (const auto* const path : {"/no/such/file", "/etc/passwd"}) {
        const auto none = asked(path);
        ASSERT_FALSE(none.has_value());
        EXPECT_TRUE(none.error().starts_with("cannot run " + std::string{path})) << none.error();
    }
}

}  // namespace
}  // namespace weir::supervisor
