// The content of answers: pulled from a source, chunked, cut, sent from where it lies.

#include <gtest/gtest.h>

#include <stdexcept>

#include "connection_driver.h"

namespace weir::http {
namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

class PieceSource final : public Source {
   public:
    PieceSource(std::vector<Pulled> pieces, std::optional<std::uint64_t> size, std::string& told)
        : pieces_{std::move(pieces)}, size_{size}, told_{told} {}
    Pulled pull(std::span<char> into) override {
        if (at_ == pieces_.size()) return End{};
        const Pulled piece = pieces_[at_++];
        if (auto* ready = std::get_if<Ready>(&piece))
            std::fill_n(into.begin(), ready->size, static_cast<char>('a' + at_ - 1));
        return piece;
    }
    std::optional<std::uint64_t> size() const override { return size_; }
    void done(Outcome outcome) noexcept override {
        told_ += outcome == Outcome::sent        ? "sent"
                 : outcome == Outcome::peer_gone ? "gone"
                 : outcome == Outcome::timed_out ? "slow"
                 : outcome == Outcome::stopped   ? "stopped"
                                                 : "failed";
    }

   private:
    std::vector<Pulled> pieces_;
    std::size_t at_ = 0;
    std::optional<std::uint64_t> size_;
    std::string& told_;
};

ConnectionDriver::Handle from_source(std::vector<Source::Pulled> pieces,
                                     std::optional<std::uint64_t> size, std::string& told) {
    return [=, &told](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<PieceSource>(pieces, size, told));
        return response;
    };
}

TEST(AnswerContent, AStreamOfUnknownLengthIsChunked) {
    std::string told;
    ConnectionDriver peer{
        from_source({Source::Ready{3}, Source::File{{9, 0, 20}}, Source::Ready{2}}, {}, told)};
    peer.receive(get + get);
    const std::string one = "0003\r\naaa\r\n14\r\n####################\r\n0002\r\ncc\r\n0\r\n\r\n";
    EXPECT_NE(peer.sent.find("\r\nTransfer-Encoding: chunked\r\n\r\n" + one + "HTTP/1.1"),
              std::string::npos)
        << peer.sent;
    EXPECT_TRUE(peer.sent.ends_with(one));
    EXPECT_EQ(told, "sentsent");
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(AnswerContent, AStreamToHttp10EndsWithTheConnection) {
    std::string told;
    ConnectionDriver peer{from_source({Source::Ready{3}}, {}, told)};
    peer.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(peer.sent.ends_with("Connection: close\r\n\r\naaa")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(told, "sent");
}

TEST(AnswerContent, AStreamThatIsNotReadyWaitsAndGoesOn) {
    std::string told;
    ConnectionDriver peer{
        from_source({Source::Ready{3}, Source::NotReady{}, Source::Ready{2}}, 5, told)};
    peer.receive(get);
    EXPECT_EQ(peer.step(), Step::receive);
    EXPECT_TRUE(peer.sent.ends_with("Content-Length: 5\r\n\r\naaa"));
    peer.connection->wake(1, peer.now);
    peer.drive();
    EXPECT_TRUE(peer.sent.ends_with("aaacc"));
    EXPECT_EQ(told, "sent");
}

TEST(AnswerContent, AStreamThatBreaksItsWordCutsTheConnection) {
    for (const std::uint64_t announced : {2u, 9u}) {
        std::string told;
        ConnectionDriver peer{from_source({Source::Ready{3}}, announced, told)};
        peer.receive(get + get);
        EXPECT_EQ(peer.step(), Step::close);
        EXPECT_EQ(peer.handled, 1);
        EXPECT_EQ(told, "failed");
    }
}

TEST(AnswerContent, ASourcesTrailersFollowItsChunks) {
    class WithTrailers final : public Source {
        Pulled pull(std::span<char> into) override {
            if (std::exchange(ended_, true)) return End{};
            into[0] = 'a';
            return Ready{1};
        }
        std::string_view trailers() const override { return "Sum: 1\r\nMore: 2\r\n"; }
        bool ended_ = false;
    };
    ConnectionDriver peer{[](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<WithTrailers>());
        return response;
    }};
    peer.receive(get);
    EXPECT_TRUE(peer.sent.ends_with("0001\r\na\r\n0\r\nSum: 1\r\nMore: 2\r\n\r\n")) << peer.sent;
}

TEST(AnswerContent, ASourceThatThrowsHasFailed) {
    class Throws final : public Source {
        Pulled pull(std::span<char>) override { throw std::runtime_error{"no more"}; }
    };
    ConnectionDriver peer{[](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<Throws>());
        return response;
    }};
    peer.receive(get);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.seen.back().outcome, Outcome::source_failed);
}

/// So the client knows that the request was processed (RFC 9112 9.3.1).
TEST(AnswerContent, AllThatASourceHasGivenIsSentBeforeItsFailureEndsTheConnection) {
    std::string ended;
    ConnectionDriver peer{from_source({Source::Ready{3}, Source::Failed{}}, {}, ended)};
    peer.receive(get);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 200 OK\r\n")) << peer.sent;
    EXPECT_TRUE(peer.sent.contains("\r\n\r\n0003\r\n")) << peer.sent;
    EXPECT_FALSE(peer.sent.contains("0\r\n\r\n")) << "the content is not complete";
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.seen.back().outcome, Outcome::source_failed);
}

TEST(AnswerContent, ASourceIsToldHowItEnded) {
    std::string gone, slow, stopped;
    {
        ConnectionDriver peer{from_source({Source::NotReady{}}, {}, gone)};
        peer.receive(get);
        peer.connection->fail(Outcome::peer_gone, peer.now);
        EXPECT_EQ(peer.seen.back().outcome, Outcome::peer_gone);
    }
    {
        ConnectionDriver peer{from_source({Source::NotReady{}}, {}, slow)};
        peer.timeouts.pause = std::chrono::minutes{1};
        peer.receive(get);
        peer.pass(peer.timeouts.pause);
        EXPECT_EQ(peer.step(), Step::close);
    }
    {
        ConnectionDriver peer{from_source({Source::NotReady{}}, {}, stopped)};
        peer.receive(get);
    }
    EXPECT_EQ(gone, "gone");
    EXPECT_EQ(slow, "slow");
    EXPECT_EQ(stopped, "stopped");
}

TEST(AnswerContent, LongBytesAndFilesAreSentFromWhereTheyLie) {
    const std::string big(100'000, 'b');
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        Response response;
        if (request.path() == "/file")
            response.content(FileRange{9, 10, 1000});
        else
            response.content_view(big);
        return response;
    }};
    peer.send_max = 999;
    peer.settles = true;
    peer.receive("GET /file HTTP/1.1\r\nHost: a\r\n\r\nGET /big HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_NE(peer.sent.find("Content-Length: 1000\r\n\r\n" + std::string(1000, '#') + "HTTP/1.1"),
              std::string::npos);
    EXPECT_TRUE(peer.sent.ends_with("Content-Length: 100000\r\n\r\n" + big));
    ASSERT_EQ(peer.seen.size(), 2u);
    EXPECT_EQ(peer.seen[1].content_bytes, 100'000u);
    EXPECT_EQ(peer.seen[1].target, "/big");
}

TEST(Response, FieldsThatWouldBreakTheMessageAreRefused) {
    Response response;
    EXPECT_THROW(response.add("X", "a\r\nY: b"), std::invalid_argument);
    EXPECT_THROW(response.add("X Y", "a"), std::invalid_argument);
    EXPECT_THROW(response.add("content-length", "5"), std::invalid_argument);
    EXPECT_NO_THROW(response.add("X", "caf\xc3\xa9\tok"));
    EXPECT_EQ(response.own_fields(), "X: caf\xc3\xa9\tok\r\n");
}

}  // namespace
}  // namespace weir::http
