// Each allocation in the life of an HTTP/2 connection that fails: the connection ends, and nothing else.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "faults/connection_life.h"
#include "faults/failing_new.h"
#include "support/http2_frames.h"

namespace weir::http {
namespace {

namespace h2 = tests::http2;
namespace flag = h2::flag;

struct Http2Memory : ::testing::Test {
    Http2Memory() { FailingNew::spare_this_thread(); }
    ~Http2Memory() override { FailingNew::clear(); }

    Limits limits;
    Timeouts timeouts;
};

const std::vector<Script>& http2_scripts() {
    const auto of = [](std::string_view name, std::vector<std::string> pieces,
                       std::size_t send_max = 1'000'000) {
        pieces.front() = h2::hello() + pieces.front();
        return Script{name, std::move(pieces), send_max, true};
    };
    const std::string section =
        h2::section(h2::get_fields("/small", {{"a", std::string(3'000, 'a')}}));
    static const std::vector<Script> all{
        of("small", {h2::get(1, "/small"), h2::get(3, "/small")}),
        of("many",
           {h2::get(1, "/small") + h2::get(3, "/source") + h2::get(5, "/own") +
            h2::get(7, "/large") + h2::window(0, 1'000'000) + h2::window(7, 1'000'000)},
           7'000),
        of("split", {h2::get(1, "/small").substr(0, 20), h2::get(1, "/small").substr(20)}),
        of("fields in frames",
           {h2::frame(h2::FrameType::headers, flag::end_stream, 1, section.substr(0, 500)),
            h2::frame(h2::FrameType::continuation, flag::end_headers, 1, section.substr(500))}),
        of("content", {h2::post(1, "/collect"), h2::data(1, std::string(2'000, 'c')),
                       h2::data(1, std::string(3'000, 'd'), flag::end_stream)}),
        of("trailers", {h2::post(1, "/collect") + h2::data(1, "abc"),
                        h2::headers(1, {{"sum", "of a length that needs memory"}},
                                    flag::end_headers | flag::end_stream)}),
        of("streamed in", {h2::post(1, "/sink", {{"expect", "100-continue"}}), h2::data(1, "ab"),
                           h2::data(1, "cd", flag::end_stream)}),
        of("streamed in, cut", {h2::post(1, "/sink") + h2::data(1, "ab"), h2::reset(1)}),
        of("canceled", {h2::get(1, "/large"), h2::reset(1), h2::get(3, "/small")}, 50),
        of("later", {h2::get(1, "/later") + h2::get(3, "/small"), h2::get(5, "/source")}, 50),
        of("pings while it sends",
           {h2::get(1, "/large"), h2::ping() + h2::settings(), h2::get(3, "/small")}, 100),
        of("broken", {h2::get(1, "/small") + h2::data(0, "a")}),
        of("malformed", {h2::get(1, "/small", {{"A", "b"}}), h2::get(3, "/small")}),
    };
    return all;
}

TEST_F(Http2Memory, AllocationThatFailsEndsNothingButTheConnection) {
    int failures = 0;
    for (const Script& script : http2_scripts())
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE(std::string{script.name} + ", allocation " + std::to_string(nth));
            Told told;
            ActiveRequests active;
            Workspace workspace{limits, timeouts, &active};
            {
                Life life{workspace, script, told};
                life.settles_first = nth % 2 == 0;
                FailingNew::fail(nth);
                life.run();
                FailingNew::clear();
                if (FailingNew::failed() != 0) {
                    EXPECT_EQ(life.step(), Step::close);
                }
            }
            EXPECT_EQ(told.told, told.made);
            EXPECT_EQ(active.count, 0);
            EXPECT_TRUE(workspace.output.empty());
            // The next connection of the thread gets its answers, and nothing of this one's.
            Life next{workspace, http2_scripts().front(), told};
            next.run();
            h2::Reader reader;
            reader.take(next.sent);
            EXPECT_EQ(reader.stream(1).content, "small");
            EXPECT_EQ(reader.stream(3).content, "small");
            if (FailingNew::failed() == 0) break;
            ++failures;
        }
    EXPECT_GT(failures, 100);
}

TEST_F(Http2Memory, WhileThereIsNoneEachConnectionEnds) {
    for (const Script& script : http2_scripts())
        for (const int nth : {1, 2, 3, 5, 8, 13}) {
            SCOPED_TRACE(std::string{script.name} + ", from allocation " + std::to_string(nth));
            Told told;
            ActiveRequests active;
            Workspace workspace{limits, timeouts, &active};
            {
                Life life{workspace, script, told};
                FailingNew::fail(nth, 1'000'000);
                life.run();
                if (FailingNew::failed() != 0) {
                    EXPECT_EQ(life.step(), Step::close);
                }
            }
            FailingNew::clear();
            EXPECT_EQ(told.told, told.made);
            EXPECT_EQ(active.count, 0);
        }
}

}  // namespace
}  // namespace weir::http
