#include "server/log/trouble_reports.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "net/child.h"
#include "server/housekeeper.h"
#include "unit/server/recording_log.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr Instant start{5min};

struct TroubleReport : testing::Test {
    Troubles noted;
    RecordingLog log;
    TroubleReports reports{noted, log};
};

TEST_F(TroubleReport, ComesAtOnceAndThenOnceAMinuteWithTheNumberSince) {
    EXPECT_EQ(reports.tell(start), never);
    noted.note(Trouble::watches);
    EXPECT_EQ(reports.tell(start), start + 1min);
    noted.note(Trouble::watches, 200);
    noted.note(Trouble::watches, 14);
    EXPECT_EQ(reports.tell(start + 59s), start + 1min);
    EXPECT_EQ(reports.tell(start + 1min), start + 2min);
    const std::string advice =
        ": raise fs.inotify.max_user_watches, or fs.inotify.max_user_instances (sysctl)";
    EXPECT_EQ(
        log.messages(),
        (std::vector{
            "a folder could not be watched for changes" + advice,
            "a folder could not be watched for changes, 214 times in the last minute" + advice}));
}

TEST_F(TroubleReport, ComesAtOnceAgainAfterAQuietMinute) {
    noted.note(Trouble::descriptors);
    reports.tell(start);
    EXPECT_EQ(reports.tell(start + 1min), never);
    EXPECT_EQ(reports.tell(start + 2min), never);
    EXPECT_EQ(log.messages().size(), 1u);
    noted.note(Trouble::descriptors);
    EXPECT_EQ(reports.tell(start + 2min + 1s), start + 3min + 1s);
    ASSERT_EQ(log.messages().size(), 2u);
    EXPECT_EQ(log.messages()[0], log.messages()[1]);
}

TEST_F(TroubleReport, OfOneKindDoesNotDelayAnother) {
    noted.note(Trouble::memory);
    reports.tell(start);
    noted.note(Trouble::log_lines, 3);
    EXPECT_EQ(reports.tell(start + 10s), start + 1min);
    ASSERT_EQ(log.messages().size(), 2u);
    EXPECT_TRUE(log.messages()[1].starts_with("a line of a log was dropped, 3 times: "));
}

TEST_F(TroubleReport, ShowsTheFirstCaseSinceTheLastReport) {
    noted.note(Trouble::servers, "http://a cannot be reached");
    noted.note(Trouble::servers, "http://b cannot be reached");
    reports.tell(start);
    noted.note(Trouble::servers, "http://c cannot be reached");
    noted.note(Trouble::servers);
    reports.tell(start + 1min);
    noted.note(Trouble::servers, std::string(1'000, 'x'));
    reports.tell(start + 2min);
    const auto messages = log.messages();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_TRUE(messages[0].contains("did not answer, 2 times (http://a cannot be reached): "));
    EXPECT_TRUE(messages[1].contains("in the last minute (http://c cannot be reached): "));
    EXPECT_TRUE(messages[2].contains('(' + std::string(Troubles::about_max, 'x') + "): "));
}

TEST_F(TroubleReport, IsNotGivenOfWorkersWhichTheirSupervisorReports) {
    noted.note(Trouble::workers);
    reports.tell(start);
    EXPECT_TRUE(log.messages().empty());
}

TEST(TroubleSentences, SayWhatToDoAboutEveryOtherKind) {
    for (std::size_t kind = 0; kind < Troubles::kinds; ++kind) {
        const bool is_told = static_cast<Trouble>(kind) != Trouble::workers;
        const auto sentence = trouble_sentence(static_cast<Trouble>(kind), 1, false);
        EXPECT_EQ(sentence.contains(": "), is_told) << sentence;
    }
}

TEST(OperatorWarnings, WakesForATroubleThatIsNoted) {
    RecordingLog log;
    OperatorWarnings teller{log};
    Housekeeper housekeeper;
    housekeeper.add(teller.fd(), [&] { teller.tell(); });
    housekeeper.start_thread();
    troubles().note(Trouble::per_address);
    log.wait_for_messages(1);
    EXPECT_TRUE(log.messages()[0].starts_with("an address had as many connections"));
}

TEST(OperatorWarnings, TellsOfTheProcessesThatWereForked) {
    RecordingLog log;
    OperatorWarnings teller{log};
    teller.share_with_forks();
    const auto before = troubles().count(Trouble::slow_peers);
    net::StopSignal stop;
    net::UniqueFd nothing;
    auto child = net::Child::start(stop, net::Child::Terminated::by_parent, nothing, [] {
        troubles().note(Trouble::slow_peers, 2);
        return 0;
    });
    ASSERT_TRUE(child.has_value());
    EXPECT_TRUE(child->reap().is_success());
    EXPECT_EQ(troubles().count(Trouble::slow_peers), before + 2);
    teller.tell();
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_TRUE(log.messages()[0].contains("too slow, 2 times: "));
}

}  // namespace
}  // namespace weir::server
