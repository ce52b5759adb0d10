#include "live/event_source.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

namespace weir::live {
namespace {

struct NoPostbox final : http::Postbox {
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override {}
};

TEST(EventSource, GivesAnEventInAsManyPiecesAsThePeerTakes) {
    const auto news = std::make_shared<News>();
    const auto feed = std::make_shared<Feed>(news, 1);
    EventSource source{*feed->join({std::make_shared<NoPostbox>(), {}})};
    const auto given = [&source] {
        std::string text;
        std::array<char, 7> piece{};
        for (;;) {
            const auto pulled = source.pull(piece);
            const auto* const ready = std::get_if<http::Source::Ready>(&pulled);
            if (ready == nullptr) return text;
            text.append(piece.data(), ready->size);
        }
    };
    const std::string version = Version{}.text();
    EXPECT_EQ(given(), "retry: 1000\nevent: hello\nid: " + version + "\ndata: " + version + "\n\n");
    ASSERT_TRUE(news->replace({}, {.pages = 1, .styles = 2}));
    EXPECT_TRUE(given().starts_with("event: reload\n"));
    ASSERT_FALSE(news->replace({}, {.pages = 1, .styles = 3}));
    ASSERT_TRUE(news->replace(news->version(), {.pages = 1, .styles = 3}));
    EXPECT_TRUE(given().starts_with("event: css\n"));
    EXPECT_EQ(given(), "");
}

}  // namespace
}  // namespace weir::live
