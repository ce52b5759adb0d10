// permessage-deflate (RFC 7692) without a library: the handshake, the frames, and which messages are
// compressed. The payload of a compressed message is "<" and the message.

#include "weir/web/message_compression.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/web/websocket/socket_fixture.h"
#include "weir/web/together.h"
#include "weir/web/topics.h"

namespace weir::web {
namespace {

constexpr std::string_view plain_terms =
    "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

struct Marked final : MessageCompression {
    /// A message that contains a "!" is sent as it is.
    std::shared_ptr<const std::string> compress(std::string_view message) const noexcept override {
        ++count;
        if (message.contains('!')) return nullptr;
        return std::make_shared<const std::string>("<" + std::string{message});
    }
    Expansion expand(std::string_view payload, std::size_t bytes_max,
                     std::string& message) const override {
        if (!payload.starts_with('<')) return Expansion::malformed;
        if (payload.size() - 1 > bytes_max) return Expansion::too_large;
        message = payload.substr(1);
        return Expansion::whole;
    }

    mutable int count = 0;  // of compress()
};

struct Compression : Sockets {
    Compression() { options.compression = marked; }

    /// Opens "/" with an offer.
    Probe::Exchange opened(std::string_view offer = "permessage-deflate") {
        auto fields = frames::opening();
        if (!offer.empty()) fields.emplace_back("Sec-WebSocket-Extensions", offer);
        return probe.open("GET", "/", fields);
    }
    void echo() {
        router.get("/", websocket(
                            [](WebSocket socket) -> Task<> {
                                while (const auto message = co_await socket.receive())
                                    co_await socket.send(*message);
                            },
                            options));
    }
    std::string terms(std::string_view offer) {
        auto exchange = opened(offer);
        return std::string{exchange.answer().field("Sec-WebSocket-Extensions")};
    }
    /// The frames that an echo sends for `bytes`.
    std::string echoed(std::string_view bytes, std::string_view offer = "permessage-deflate") {
        auto exchange = opened(offer);
        exchange.send(bytes);
        return got(exchange);
    }

    std::shared_ptr<const Marked> marked = std::make_shared<const Marked>();
};

TEST_F(Compression, IsAgreedOnWhereThePeerOffersIt) {
    echo();
    EXPECT_EQ(terms(""), "");
    EXPECT_EQ(terms("permessage-deflate"), plain_terms);
    EXPECT_EQ(terms("permessage-deflate; client_max_window_bits"), plain_terms) << "as browsers do";
    EXPECT_EQ(terms("x-webkit-deflate-frame, permessage-deflate;client_max_window_bits=\"10\""),
              plain_terms);
    EXPECT_EQ(terms("permessage-deflate ; client_no_context_takeover; server_no_context_takeover"),
              plain_terms);
    for (const auto* const bits : {"8", "9", "12", "15"})
        EXPECT_EQ(terms(std::string{"permessage-deflate; server_max_window_bits="} + bits),
                  std::string{plain_terms} + "; server_max_window_bits=" + bits);
}

TEST_F(Compression, IsRefusedForTermsThatTheStandardHasNot) {
    echo();
    for (const auto* const terms_of_its_own :
         {"; x", "; server_max_window_bits", "; server_max_window_bits=7",
          "; server_max_window_bits=16", "; server_max_window_bits=08", "; server_max_window_bits=",
          "; client_max_window_bits=7", "; client_max_window_bits=", "; client_max_window_bits=1x",
          "; server_no_context_takeover=1", "; client_no_context_takeover=",
          "; server_no_context_takeover; server_no_context_takeover",
          "; client_max_window_bits; client_max_window_bits=9", ";; server_max_window_bits=9", "x",
          "=1"})
        EXPECT_EQ(terms(std::string{"permessage-deflate"} + terms_of_its_own), "")
            << terms_of_its_own;
}

TEST_F(Compression, TakesTheFirstOfferThatItCanKeep) {
    echo();
    EXPECT_EQ(terms("permessage-deflate; server_max_window_bits=7, permessage-deflate; x=1, "
                    "permessage-deflate; server_max_window_bits=10, permessage-deflate"),
              std::string{plain_terms} + "; server_max_window_bits=10");
    auto fields = frames::opening();
    fields.emplace_back("Sec-WebSocket-Extensions", "permessage-bzip2");
    fields.emplace_back("Sec-WebSocket-Extensions", "permessage-deflate");
    auto exchange = probe.open("GET", "/", fields);
    EXPECT_EQ(exchange.answer().field("Sec-WebSocket-Extensions"), plain_terms) << "two lines";
}

TEST_F(Compression, IsOffUnlessTheProgramHasIt) {
    options.compression = nullptr;
    echo();
    EXPECT_EQ(terms("permessage-deflate"), "");
    EXPECT_EQ(echoed(frames::text("hello")), "text:hello");
    EXPECT_EQ(echoed(frames::compressed("<hello")), "close:1002");
}

TEST_F(Compression, HasBothDirections) {
    echo();
    EXPECT_EQ(echoed(frames::compressed("<hello")), "compressed text:<hello");
    EXPECT_EQ(echoed(frames::text("hello")), "compressed text:<hello") << "each message by itself";
    EXPECT_EQ(echoed(frames::compressed("<hello!")), "text:hello!");
    EXPECT_EQ(echoed(frames::compressed("<")), "compressed text:<") << "an empty message";
    EXPECT_EQ(echoed(frames::text("hello"), ""), "text:hello") << "without an offer";
    EXPECT_EQ(echoed(frames::compressed("<hello"), ""), "close:1002");
}

TEST_F(Compression, IsOfMessagesAndNotOfFrames) {
    echo();
    const std::string sent = frames::compressed("<one ", false) + frames::ping("in between") +
                             frames::more("two ") + frames::more("three", true);
    const std::string_view expected = "pong:in between compressed text:<one two three";
    EXPECT_EQ(echoed(sent), expected);
    for (std::size_t i = 1; i < sent.size(); ++i) {
        auto exchange = opened();
        exchange.send(std::string_view{sent}.substr(0, i));
        exchange.send(std::string_view{sent}.substr(i));
        EXPECT_EQ(got(exchange), expected) << i;
    }
}

TEST_F(Compression, IsSaidByTheFirstFrameOfAMessageAlone) {
    echo();
    EXPECT_EQ(echoed(frames::text("one ", false) +
                     frames::bytes_of({.opcode = 0, .payload = "<two", .reserved = 4})),
              "close:1002");
    for (const unsigned control : {8U, 9U, 10U})
        EXPECT_EQ(echoed(frames::bytes_of({.opcode = control, .reserved = 4})), "close:1002");
    for (const unsigned other : {1U, 2U, 3U, 5U, 6U, 7U})
        EXPECT_EQ(echoed(frames::bytes_of({.opcode = 1, .payload = "<", .reserved = other})),
                  "close:1002");
}

TEST_F(Compression, FailsMessagesThatAreMalformedOrTooLarge) {
    options.message_bytes_max = 100;
    echo();
    EXPECT_EQ(echoed(frames::compressed("hello")), "close:1007");
    EXPECT_EQ(echoed(frames::compressed("<\xff")), "close:1007") << "no UTF-8";
    EXPECT_EQ(echoed(frames::compressed("<\xc3")), "close:1007") << "half a character";
    EXPECT_EQ(echoed(frames::compressed("<" + std::string(100, 'x'))), "compressed text#101")
        << "a payload may be a little larger than its message";
    EXPECT_EQ(echoed(frames::compressed("<" + std::string(101, 'x'))), "close:1009");
    EXPECT_EQ(echoed(frames::compressed("<" + std::string(200, 'x'))), "close:1009");
}

TEST_F(Compression, LeavesMessagesThatExceedTheWindowOfThePeer) {
    echo();
    const std::string fits(256, 'x');
    const std::string offer = "permessage-deflate; server_max_window_bits=8";
    EXPECT_EQ(echoed(frames::text(fits), offer), "compressed text#257");
    EXPECT_EQ(echoed(frames::text(fits + "x"), offer), "text#257");
    EXPECT_EQ(echoed(frames::text(std::string(40'000, 'x'))), "compressed text#40001");
}

TEST_F(Compression, KeepsTheMessageOfACoroutineThatLeaves) {
    router.get("/", websocket(
                        [](WebSocket socket) -> Task<> {
                            const std::string text(100'000, 'x');
                            co_await with_timeout(1ms, socket.send(text));
                            co_await socket.send("next");
                        },
                        options));
    auto exchange = opened();
    exchange.take(false);
    probe.advance(10ms);
    exchange.take(true);
    EXPECT_EQ(got(exchange), "compressed text#100001 compressed text:<next close:1000");
}

TEST_F(Compression, OfOtherThreadsMessages) {
    std::vector<WebSocketSender> senders;
    router.get("/", websocket(
                        [&](WebSocket socket) -> Task<> {
                            senders.push_back(socket.sender());
                            while (co_await socket.receive()) {}
                        },
                        options));
    auto exchange = opened();
    senders.at(0).send("one");
    senders.at(0).send("two!");
    senders.at(0).send("three", MessageKind::binary);
    EXPECT_EQ(got(exchange), "compressed text:<one text:two! compressed binary:<three");
}

TEST_F(Compression, OfATopicHappensOnceForAllSubscribers) {
    Topics topics;
    router.get("/", websocket(
                        [&](WebSocket socket) -> Task<> {
                            const auto subscription = topics.subscribe("news", socket.sender());
                            while (co_await socket.receive()) {}
                        },
                        options));
    auto one = opened();
    auto two = opened();
    auto none = opened("");
    auto small = opened("permessage-deflate; server_max_window_bits=9");
    EXPECT_EQ(topics.publish("news", "hello"), 4U);
    EXPECT_EQ(topics.publish("news", "ha!"), 4U);
    EXPECT_EQ(marked->count, 2);
    EXPECT_EQ(got(one), "compressed text:<hello text:ha!");
    EXPECT_EQ(got(two), "compressed text:<hello text:ha!");
    EXPECT_EQ(got(none), "text:hello text:ha!");
    EXPECT_EQ(got(small), "text:hello text:ha!");
}

}  // namespace
}  // namespace weir::web
