// Turns: which stream sends next.

#include "http/http2/turns.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace weir::http::http2 {
namespace {

struct TurnsTest : testing::Test {
    TurnsTest() {
        for (StreamId id = 0; id < streams.size(); ++id) streams[id].id = id;
    }
    /// The ids of those that send, each with one part, until `count` parts are sent.
    std::vector<StreamId> sent(int count) {
        std::vector<StreamId> ids;
        for (int i = 0; i < count; ++i) {
            Stream* const next =
                turns.next([](const Stream& stream) { return !stream.is_head_due; });
            if (next == nullptr) break;
            ids.push_back(next->id);
            turns.end_turn(*next);
        }
        return ids;
    }
    using Ids = std::vector<StreamId>;

    std::array<Stream, 4> streams;
    Turns turns;
};

TEST_F(TurnsTest, TheFirstGoesOnUntilItHasNothingMore) {
    for (Stream& stream : streams) turns.add(stream);
    EXPECT_EQ(sent(3), (Ids{0, 0, 0}));
    turns.remove(streams[0]);
    EXPECT_EQ(sent(2), (Ids{1, 1}));
    turns.add(streams[0]);
    EXPECT_EQ(sent(1), (Ids{1}));
}

TEST_F(TurnsTest, TheMostUrgentGoesFirst) {
    streams[2].priority.urgency = 1;
    streams[3].priority.urgency = 7;
    for (Stream& stream : streams) turns.add(stream);
    EXPECT_EQ(sent(1), (Ids{2}));
    turns.remove(streams[2]);
    EXPECT_EQ(sent(1), (Ids{0}));
}

TEST_F(TurnsTest, IncrementalOnesShare) {
    for (Stream& stream : streams) {
        stream.priority.incremental = true;
        turns.add(stream);
    }
    EXPECT_EQ(sent(6), (Ids{0, 1, 2, 3, 0, 1}));
}

TEST_F(TurnsTest, OnesThatCannotGoAreLeftOut) {
    for (Stream& stream : streams) turns.add(stream);
    streams[0].is_head_due = true;  // what sent() asks for
    EXPECT_EQ(sent(1), (Ids{1}));
    for (Stream& stream : streams) stream.is_head_due = true;
    EXPECT_EQ(sent(1), Ids{});
}

TEST_F(TurnsTest, OneHasOnePlace) {
    turns.add(streams[0]);
    turns.add(streams[0]);
    turns.remove(streams[0]);
    EXPECT_EQ(sent(1), Ids{});
}

}  // namespace
}  // namespace weir::http::http2
