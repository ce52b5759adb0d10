// Content both ways: collected, streamed, refused, pulled.

#include <gtest/gtest.h>

#include <stdexcept>

#include "connection_driver.h"

namespace weir::http {
namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

Reply echo(const Request& request) {
    if (request.content_pending()) return ReadContent{};
    Response response;
    response.content(std::string{request.content()} + "|" + std::string{request.trailers()});
    return response;
}

std::string content_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
}

TEST(Content, IsCollectedAtEverySplit) {
    const std::string sized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde";
    const std::string chunked =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nA: b\r\n\r\n";
    for (const auto& [request, content] :
         {std::pair{sized, "abcde|"}, std::pair{chunked, "abcde|A: b\r\n"}})
        for (std::size_t split = 1; split < request.size(); ++split) {
            ConnectionDriver peer{echo};
            peer.settles = split % 2 == 0;
            peer.receive(request.substr(0, split));
            peer.receive(request.substr(split) + get);
            EXPECT_EQ(content_of(peer.sent.substr(0, peer.sent.rfind("HTTP/1.1"))), content)
                << split;
            EXPECT_EQ(peer.step(), Step::receive);
            EXPECT_EQ(peer.seen.size(), 2u);
        }
}

TEST(Content, ContinueIsSaidBeforeContentIsRead) {
    ConnectionDriver peer{echo};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(peer.take_sent(), "HTTP/1.1 100 Continue\r\n\r\n");
    peer.receive("abc");
    EXPECT_EQ(content_of(peer.sent), "abc|");
}

TEST(Content, ContinueIsNotSaidWhenContentIsThereOrTheAnswerIsFinal) {
    ConnectionDriver there{echo};
    there.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc");
    EXPECT_TRUE(there.sent.starts_with("HTTP/1.1 200"));
    ConnectionDriver final{hello};
    final.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(final.sent.starts_with("HTTP/1.1 200"));
    EXPECT_NE(final.sent.find("Connection: close"), std::string::npos);
    EXPECT_EQ(final.step(), Step::drain);
}

TEST(Content, TooMuchIsRefusedAtTheHeadOrOnTheWay) {
    Limits limits;
    limits.content_bytes_max = 10;
    ConnectionDriver sized{echo, limits};
    sized.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(sized.sent.starts_with("HTTP/1.1 413")) << sized.sent;
    ConnectionDriver chunked{echo, limits};
    chunked.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n");
    EXPECT_EQ(chunked.step(), Step::receive);
    chunked.receive("5\r\nabcde\r\n");
    EXPECT_TRUE(chunked.sent.starts_with("HTTP/1.1 413")) << chunked.sent;
    EXPECT_EQ(chunked.handled, 1);
    ConnectionDriver exact{echo, limits};
    exact.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789");
    EXPECT_TRUE(exact.sent.starts_with("HTTP/1.1 200"));
}

TEST(Content, UnreadContentIsSkippedWhenItIsThereElseTheConnectionEnds) {
    ConnectionDriver there{hello};
    there.receive("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(get.size()) +
                  "\r\n\r\n" + get + get);
    EXPECT_EQ(there.handled, 2);
    EXPECT_EQ(there.step(), Step::receive);
    ConnectionDriver chunked{hello};
    chunked.receive(
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" +
        get);
    EXPECT_EQ(chunked.handled, 2);
    ConnectionDriver missing{hello};
    missing.receive("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(get.size()) +
                    "\r\n\r\n");
    EXPECT_EQ(missing.step(), Step::drain);
    missing.receive(get);
    EXPECT_EQ(missing.handled, 1);
}

class CountingSink final : public Sink {
   public:
    explicit CountingSink(std::string& into, std::size_t pauses_at)
        : into_{into}, pauses_at_{pauses_at} {}
    Taken take(std::string_view bytes) override {
        into_ += bytes;
        if (into_.size() > 50) return Taken::failed;
        return into_.size() == pauses_at_ ? Taken::paused : Taken::more;
    }
    void cut() noexcept override { into_ += "<cut>"; }

   private:
    std::string& into_;
    std::size_t pauses_at_;
};

ConnectionDriver::Handle into_sink(std::string& into, std::size_t pauses_at) {
    return [&into, pauses_at](const Request& request) -> Reply {
        if (request.content_pending())
            return StreamContent{std::make_unique<CountingSink>(into, pauses_at)};
        return Response{Status::created};
    };
}

TEST(Content, ASinkTakesItPauseByPause) {
    std::string into;
    ConnectionDriver peer{into_sink(into, 3)};
    peer.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" +
        get);
    EXPECT_EQ(into, "abc");
    EXPECT_EQ(peer.step(), Step::wait);
    peer.connection->wake(peer.now);
    peer.drive();
    EXPECT_EQ(into, "abcde");
    EXPECT_EQ(peer.seen.size(), 2u);
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(Content, ASinkIsToldWhenItsContentIsCut) {
    std::string into;
    ConnectionDriver peer{into_sink(into, 0)};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");
    peer.receive_end();
    EXPECT_EQ(into, "abc<cut>");
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Content, ASinkThatFailsEndsTheConnectionWithA500) {
    std::string into;
    ConnectionDriver peer{into_sink(into, 0)};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n" + std::string(60, 'x'));
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 500"));
    EXPECT_EQ(peer.step(), Step::drain);
}

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

TEST(Content, AStreamOfUnknownLengthIsChunked) {
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

TEST(Content, AStreamToHttp10EndsWithTheConnection) {
    std::string told;
    ConnectionDriver peer{from_source({Source::Ready{3}}, {}, told)};
    peer.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(peer.sent.ends_with("Connection: close\r\n\r\naaa")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(told, "sent");
}

TEST(Content, AStreamThatIsNotReadyWaitsAndGoesOn) {
    std::string told;
    ConnectionDriver peer{
        from_source({Source::Ready{3}, Source::NotReady{}, Source::Ready{2}}, 5, told)};
    peer.receive(get);
    EXPECT_EQ(peer.step(), Step::wait);
    EXPECT_TRUE(peer.sent.ends_with("Content-Length: 5\r\n\r\naaa"));
    peer.connection->wake(peer.now);
    peer.drive();
    EXPECT_TRUE(peer.sent.ends_with("aaacc"));
    EXPECT_EQ(told, "sent");
}

TEST(Content, AStreamThatBreaksItsWordCutsTheConnection) {
    for (const std::uint64_t announced : {2u, 9u}) {
        std::string told;
        ConnectionDriver peer{from_source({Source::Ready{3}}, announced, told)};
        peer.receive(get + get);
        EXPECT_EQ(peer.step(), Step::close);
        EXPECT_EQ(peer.handled, 1);
        EXPECT_EQ(told, "failed");
    }
}

TEST(Content, ASourceThatThrowsHasFailed) {
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

TEST(Content, ASourceIsToldHowItEnded) {
    std::string gone, slow, stopped;
    {
        ConnectionDriver peer{from_source({Source::NotReady{}}, {}, gone)};
        peer.receive(get);
        peer.connection->fail(Outcome::peer_gone, peer.now);
        EXPECT_EQ(peer.seen.back().outcome, Outcome::peer_gone);
    }
    {
        ConnectionDriver peer{from_source({Source::NotReady{}}, {}, slow)};
        peer.receive(get);
        peer.pass(peer.timeouts.handler);
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

TEST(Content, LongBytesAndFilesAreSentFromWhereTheyLie) {
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

TEST(Content, LateAnswersKeepTheirPlace) {
    std::vector<Deferred> deferred;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        if (request.path() != "/later") return hello(request);
        deferred.push_back(request.defer());
        return Later{};
    }};
    peer.receive(get + "GET /later HTTP/1.1\r\nHost: a\r\n\r\n" + get);
    EXPECT_EQ(peer.sent, hello_answer);  // what is ready does not wait
    EXPECT_EQ(peer.step(), Step::wait);
    Response late;
    late.content(std::string{"late"});
    deferred.back().respond(std::move(late));
    peer.deliver();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\nlate" + hello_answer)) << peer.sent;
    EXPECT_EQ(peer.handled, 3);
    EXPECT_EQ(peer.seen[1].target, "/later");
}

TEST(Content, AnAnswerThatComesWhileAnEarlierOneIsSentWaitsForIt) {
    std::vector<Deferred> deferred;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        if (request.path() != "/later") return hello(request);
        deferred.push_back(request.defer());
        return Later{};
    }};
    peer.send_max = 0;
    peer.receive(get + "GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(peer.step(), Step::transmit);
    const char* const in_flight = peer.connection->transmit().parts[0].data();
    deferred.back().respond(Response{Status::accepted});
    peer.deliver();
    EXPECT_EQ(peer.connection->transmit().parts[0].data(), in_flight);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_TRUE(peer.sent.starts_with(hello_answer + "HTTP/1.1 202 ")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(Content, AForgottenPromiseIsA500) {
    ConnectionDriver peer{[](const Request& request) -> Reply {
        { const Deferred forgotten = request.defer(); }
        return Later{};
    }};
    peer.receive(get);
    peer.deliver();
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 500 ")) << peer.sent;
}

TEST(Content, ASharedRequestOutlivesItsConnection) {
    std::shared_ptr<const Request> shared;
    {
        ConnectionDriver peer{[&](const Request& request) -> Reply {
            if (!shared) shared = request.share();
            return Response{};
        }};
        peer.receive("GET /kept?q HTTP/1.1\r\nHost: a.example\r\n\r\n" + get);
        EXPECT_EQ(peer.handled, 2);
    }
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->authority(), "a.example");
    EXPECT_EQ(shared->path(), "/kept");
}

TEST(Content, FieldsThatWouldBreakTheMessageAreRefused) {
    Response response;
    EXPECT_THROW(response.add("X", "a\r\nY: b"), std::invalid_argument);
    EXPECT_THROW(response.add("X Y", "a"), std::invalid_argument);
    EXPECT_THROW(response.add("content-length", "5"), std::invalid_argument);
    EXPECT_NO_THROW(response.add("X", "caf\xc3\xa9\tok"));
    EXPECT_EQ(response.own_fields(), "X: caf\xc3\xa9\tok\r\n");
}

}  // namespace
}  // namespace weir::http
