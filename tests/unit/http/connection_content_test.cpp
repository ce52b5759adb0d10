// The content of requests: collected, streamed to a sink, refused, skipped.

#include <gtest/gtest.h>

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

TEST(Content, UnreadContentMayEndWhereTheInputEnds) {
    for (const std::string framing :
         {"Content-Length: 5\r\n\r\nhello",
          "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"}) {
        ConnectionDriver peer{hello};
        peer.receive("POST / HTTP/1.1\r\nHost: a\r\n" + framing);
        EXPECT_EQ(peer.step(), Step::receive) << framing;
        EXPECT_FALSE(peer.take_sent().contains("Connection: close")) << framing;
        peer.receive(get);
        EXPECT_EQ(peer.take_sent(), hello_answer) << framing;
    }
}

TEST(Content, TrailersAreOfOneRequest) {
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string with = head + "1\r\na\r\n0\r\nA: b\r\n\r\n";
    const std::string without = head + "1\r\nb\r\n0\r\n\r\n";
    for (const bool settles : {true, false}) {
        ConnectionDriver peer{echo};
        peer.settles = settles;
        peer.receive(with);
        EXPECT_EQ(content_of(peer.take_sent()), "a|A: b\r\n");
        peer.receive(without);
        EXPECT_EQ(content_of(peer.take_sent()), "b|");
    }
}

TEST(Content, OfOneRequestIsNotInTheSlotOfTheNext) {
    RequestSlot slot;
    slot.framing.content = Framing::Content::chunked;
    slot.content() = "content";
    slot.content_complete("A: b\r\n");
    slot.reset();
    EXPECT_EQ(slot.request().content(), "");
    EXPECT_EQ(slot.request().trailers(), "");
    EXPECT_FALSE(slot.request().content_length());
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
    peer.connection->wake(1, peer.now);
    peer.drive();
    EXPECT_EQ(into, "abcde");
    EXPECT_EQ(peer.seen.size(), 2u);
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(Content, ASinkMayPauseAtTheLastBytes) {
    for (const std::string& behind : {std::string{}, get}) {
        std::string into;
        ConnectionDriver peer{into_sink(into, 3)};
        peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + behind);
        EXPECT_EQ(into, "abc");
        EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 201 ")) << peer.sent;
        EXPECT_EQ(peer.step(), Step::receive);
        peer.connection->wake(1, peer.now);  // it is too late for that
        peer.drive();
        EXPECT_EQ(peer.step(), Step::receive);
        EXPECT_EQ(peer.seen.size(), behind.empty() ? 1u : 2u);
    }
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

}  // namespace
}  // namespace weir::http
