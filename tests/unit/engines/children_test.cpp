#include "engines/processes/children.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <string>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {
namespace {

struct ChildrenTest : testing::Test {
    void SetUp() override { ASSERT_FALSE(children.open(other.fd())); }
    void await_news() const {
        pollfd watched{children.fd(), POLLIN, 0};
        EXPECT_EQ(::poll(&watched, 1, -1), 1);
    }
    std::size_t reap() {
        std::size_t ended = 0;
        children.reap([this](std::string_view said) { reports.emplace_back(said); },
                      [&ended](const net::PeerAddress&) { ++ended; });
        return ended;
    }

    net::StopSignal stop;
    net::EventFd other;
    Children children;
    std::vector<std::string> reports;
};

TEST_F(ChildrenTest, AreReapedOnceAndReportedWhereTheyFail) {
    for (const int status : {0, 2}) {
        net::UniqueFd nothing;
        ASSERT_FALSE(children.start(stop, nothing, [status] { return status; }, {}));
        await_news();
        EXPECT_EQ(reap(), 1u);
        EXPECT_EQ(reap(), 0u);
        EXPECT_EQ(children.size(), 0u);
    }
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].ends_with(") exited with status 2")) << reports[0];
}

TEST_F(ChildrenTest, AreNotTakenForADescriptorThatIsNoneOfThem) {
    other.signal();
    await_news();
    EXPECT_EQ(reap(), 0u);
    EXPECT_TRUE(children.other_is_readable());
    other.clear();
    EXPECT_EQ(reap(), 0u);
    EXPECT_FALSE(children.other_is_readable());
}

}  // namespace
}  // namespace weir::engines
