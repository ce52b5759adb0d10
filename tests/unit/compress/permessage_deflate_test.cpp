// permessage-deflate by zlib: the examples of RFC 7692, messages of all kinds, and payloads that are none.

#include "weir/compress/permessage_deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/probe_socket.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::string_literals;
using Expansion = MessageCompression::Expansion;

constexpr std::size_t bytes_max = 100'000;

struct PermessageDeflate : ::testing::Test {
    /// What `payload` expands to, or why it does not.
    std::string expanded(std::string_view payload, std::size_t max = bytes_max) const {
        std::string message = "of earlier";
        switch (deflate->expand(payload, max, message)) {
            case Expansion::whole: return message;
            case Expansion::malformed: return "(malformed)";
            case Expansion::too_large: return "(too large)";
        }
        return "(none of them)";
    }

    std::shared_ptr<const MessageCompression> deflate =
        permessage_deflate({.size_min = 0, .size_max = bytes_max});
};

std::string json(int entries) {
    std::string text = "[";
    for (int i = 0; i < entries; ++i)
        text += R"({"id":)" + std::to_string(i * 7919 % 10'007) + R"(,"name":"entry"},)";
    return text;
}

std::string noise(std::size_t size) {
    std::mt19937 random{7};
    std::string text(size, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    return text;
}

/// The payload of a sender with options of its own.
std::string payload_of(std::string_view message, int level, int strategy, int flush) {
    z_stream stream{};
    EXPECT_EQ(::deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy), Z_OK);
    std::string out(::deflateBound(&stream, message.size()) + 100, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(message.data()));
    stream.avail_in = static_cast<uInt>(message.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, flush);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return flush == Z_FINISH ? out + '\0' : out.substr(0, out.size() - 4);
}

TEST_F(PermessageDeflate, ReadsTheExamplesOfTheStandard) {
    EXPECT_EQ(expanded("\xf2\x48\xcd\xc9\xc9\x07\x00"s), "Hello") << "7.2.3.1";
    EXPECT_EQ(expanded("\xf2\x00\x11\x00\x00"s), "(malformed)") << "7.2.3.2: of the last window";
    EXPECT_EQ(expanded("\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00"s), "Hello") << "7.2.3.3";
    EXPECT_EQ(expanded("\xf3\x48\xcd\xc9\xc9\x07\x00\x00"s), "Hello") << "7.2.3.4";
    EXPECT_EQ(expanded("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00"s), "Hello")
        << "7.2.3.5";
    EXPECT_EQ(expanded("\x00"s), "") << "7.2.3.6";
}

TEST_F(PermessageDeflate, ReadsThePayloadsOfEverySender) {
    for (const std::string& message : {""s, "x"s, json(3), json(2000), noise(50'000)})
        for (const int level : {0, 1, 6, 9})
            for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE})
                for (const int flush : {Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH})
                    EXPECT_EQ(expanded(payload_of(message, level, strategy, flush)), message)
                        << message.size() << " at " << level << ", " << strategy << ", " << flush;
}

TEST_F(PermessageDeflate, ReadsNoPayloadThatIsCut) {
    const std::string payload = payload_of(json(20), 6, Z_DEFAULT_STRATEGY, Z_SYNC_FLUSH);
    for (std::size_t size = 0; size < payload.size(); ++size) {
        const std::string got = expanded(payload.substr(0, size));
        EXPECT_TRUE(got == "(malformed)") << size;
    }
    EXPECT_EQ(expanded(payload + "\x07"), "(malformed)");
    EXPECT_EQ(expanded("Hello"), "(malformed)");
    EXPECT_EQ(expanded(std::string(1000, '\xff')), "(malformed)");
}

TEST_F(PermessageDeflate, ExpandsUpToTheLimitAlone) {
    const std::string bomb =
        payload_of(std::string(50'000'000, '\0'), 9, Z_DEFAULT_STRATEGY, Z_SYNC_FLUSH);
    EXPECT_EQ(expanded(bomb), "(too large)");
    EXPECT_EQ(expanded(bomb, 0), "(too large)");
    for (const std::size_t size : {1UZ, 255UZ, 256UZ, 257UZ, 4096UZ, 50'000UZ}) {
        const std::string message = noise(size);
        const std::string payload = payload_of(message, 6, Z_DEFAULT_STRATEGY, Z_SYNC_FLUSH);
        EXPECT_EQ(expanded(payload, size), message);
        EXPECT_EQ(expanded(payload, size - 1), "(too large)");
    }
    EXPECT_EQ(expanded("\x00"s, 0), "");
}

TEST_F(PermessageDeflate, WritesPayloadsThatGiveBackTheMessage) {
    for (int level = 1; level <= 9; ++level) {
        const auto of_level = permessage_deflate({.level = level});
        for (const int entries : {10, 100, 1000}) {
            const std::string message = json(entries);
            const auto payload = of_level->compress(message);
            ASSERT_TRUE(payload) << entries;
            EXPECT_LT(payload->size(), message.size() / 2);
            EXPECT_EQ(expanded(*payload), message);
        }
    }
}

TEST_F(PermessageDeflate, LeavesWhatIsShortOrLongOrDoesNotGetSmaller) {
    const auto limited = permessage_deflate({.size_min = 200, .size_max = 300});
    EXPECT_FALSE(limited->compress(std::string(199, 'x')));
    EXPECT_TRUE(limited->compress(std::string(200, 'x')));
    EXPECT_TRUE(limited->compress(std::string(300, 'x')));
    EXPECT_FALSE(limited->compress(std::string(301, 'x')));
    EXPECT_FALSE(deflate->compress(noise(1000)));
    EXPECT_FALSE(deflate->compress(""));
    EXPECT_FALSE(permessage_deflate()->compress("Hello"));
}

TEST_F(PermessageDeflate, RefusesLevelsThatDoNotExist) {
    for (const int level : {-1, 0, 10})
        EXPECT_THROW(permessage_deflate({.level = level}), std::invalid_argument);
}

TEST_F(PermessageDeflate, IsOfASocketThatUsesIt) {
    Router router;
    const auto echo = [](WebSocket socket) -> Task<> {
        while (const auto message = co_await socket.receive()) co_await socket.send(*message);
    };
    router.get("/", websocket(echo, {.message_bytes_max = bytes_max, .compression = deflate}));
    Probe probe{router};
    ProbeSocket peer{probe, "/", {}, deflate};
    for (const int entries : {0, 1, 100, 1000}) {
        peer.send(json(entries));
        EXPECT_EQ(peer.receive(), json(entries));
    }
    peer.send_binary(noise(1000));
    EXPECT_EQ(peer.receive(), noise(1000));
    EXPECT_LT(peer.exchange().answer().content.size(), 20'000U) << "sent in less";
    peer.close();
    EXPECT_EQ(peer.receive(), std::nullopt);
    EXPECT_EQ(peer.close_code(), CloseCode::normal);
}

}  // namespace
}  // namespace weir::web
