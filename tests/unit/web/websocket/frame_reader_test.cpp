#include "web/websocket/frame_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/websocket_frames.h"

namespace weir::web::ws {
namespace {

namespace frames = tests::websocket;
using Event = FrameReader::Event;

/// All that comes of some bytes: "text:hello ping:x fault:1002".
std::string read(FrameReader& reader, std::string_view bytes) {
    std::string all;
    while (!bytes.empty()) {
        const auto step = reader.read(bytes);
        bytes.remove_prefix(step.size);
        switch (step.event) {
            case Event::more: continue;
            case Event::message:
                all += (reader.message().is_text() ? "text:" : "binary:") +
                       std::string{reader.message().data} + " ";
                reader.next();
                continue;
            case Event::ping: all += "ping:" + std::string{reader.control()} + " "; continue;
            case Event::pong: all += "pong:" + std::string{reader.control()} + " "; continue;
            case Event::close:
                all += "close#" + std::to_string(reader.control().size()) + " ";
                continue;
            case Event::fault:
                return all + "fault:" + std::to_string(std::to_underlying(reader.fault()));
        }
    }
    return all;
}

std::string read(std::string_view bytes, std::size_t message_bytes_max = 1000) {
    FrameReader reader{message_bytes_max};
    return read(reader, bytes);
}

TEST(FrameReader, ReadsMessagesOfEveryLengthForm) {
    for (const std::size_t size : {0, 1, 7, 8, 9, 125, 126, 127, 65'535, 65'536, 100'000}) {
        const std::string payload(size, 'x');
        EXPECT_EQ(read(frames::text(payload), 100'000), "text:" + payload + " ");
        EXPECT_EQ(read(frames::binary(payload), 100'000), "binary:" + payload + " ");
    }
}

TEST(FrameReader, IsTheSameForEverySplit) {
    const std::string bytes = frames::text("Hello-\u00b5@\u00df\u00f6\u00e4") +
                              frames::text("one ", false) + frames::ping("in between") +
                              frames::more("two ") + frames::pong() + frames::more("three", true) +
                              frames::binary(std::string(300, '\xff')) +
                              frames::close(1000, "bye") + frames::bytes_of({.opcode = 3});
    const std::string whole = read(bytes);
    EXPECT_TRUE(whole.ends_with("fault:1002")) << whole;
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        FrameReader reader{1000};
        const std::string first = read(reader, bytes.substr(0, cut));
        EXPECT_EQ(first + (first.ends_with("fault:1002") ? "" : read(reader, bytes.substr(cut))),
                  whole)
            << cut;
    }
    FrameReader reader{1000};
    std::string one_by_one;
    for (const char byte : bytes) {
        one_by_one += read(reader, {&byte, 1});
        if (one_by_one.ends_with("fault:1002")) break;
    }
    EXPECT_EQ(one_by_one, whole);
}

TEST(FrameReader, StopsBehindEachMessage) {
    FrameReader reader{1000};
    const std::string first = frames::text("first");
    const auto step = reader.read(first + frames::text("second"));
    EXPECT_EQ(step.event, Event::message);
    EXPECT_EQ(step.size, first.size());
}

TEST(FrameReader, RefusesWhatAClientMayNotSend) {
    using frames::bytes_of;
    const std::string refused[] = {
        bytes_of({.opcode = 1, .payload = "no mask", .is_masked = false}),
        bytes_of({.opcode = 1, .payload = "x", .reserved = 4}),
        bytes_of({.opcode = 1, .payload = "x", .reserved = 2}),
        bytes_of({.opcode = 9, .reserved = 1}),
        bytes_of({.opcode = 3}),
        bytes_of({.opcode = 7}),
        bytes_of({.opcode = 11}),
        bytes_of({.opcode = 15}),
        bytes_of({.opcode = 9, .is_last = false}),
        frames::ping(std::string(126, 'x')),
        frames::more("nothing before"),
        frames::text("one", false) + frames::text("two"),
        bytes_of({.opcode = 2, .payload = "short", .length_bytes = 2}),
        bytes_of({.opcode = 2, .payload = std::string(200, 'x'), .length_bytes = 8}),
        std::string{"\x82\xff\x80\0\0\0\0\0\0\0\1\2\3\4", 14},
    };
    for (const std::string& bytes : refused) EXPECT_EQ(read(bytes), "fault:1002");
}

TEST(FrameReader, LimitsMessagesBeforeTheyAreThere) {
    EXPECT_EQ(read(frames::binary("12345678"), 8), "binary:12345678 ");
    EXPECT_EQ(read(frames::binary("123456789").substr(0, 6), 8), "fault:1009");
    EXPECT_EQ(read(frames::binary("1234", false) + frames::more("1234", true), 8),
              "binary:12341234 ");
    EXPECT_EQ(read(frames::binary("1234", false) + frames::more("12345", true), 8), "fault:1009");
    const std::string huge{"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\1\2\3\4", 14};
    EXPECT_EQ(read(frames::binary("1234", false) + "\x80" + huge.substr(1), 8), "fault:1009");
}

TEST(FrameReader, FailsATextAsSoonAsItIsNone) {
    const std::string text = frames::text("\xce\xba\xf4\x90\x80\x80 and more");
    EXPECT_EQ(read(text.substr(0, 10)), "fault:1007");
    EXPECT_EQ(read(text.substr(0, 9)), "");
    EXPECT_EQ(read(frames::text("\xce", false) + frames::more("\xba", true)), "text:\xce\xba ");
    EXPECT_EQ(read(frames::text("\xce", false) + frames::more("", true)), "fault:1007");
    EXPECT_EQ(read(frames::binary("\xce")), "binary:\xce ");
}

TEST(FrameReader, KeepsLittleMemoryBetweenMessages) {
    auto reader = FrameReader::lend(1'000'000, nullptr);
    const std::string large = frames::text(std::string(500'000, 'x'));
    const auto step = reader->read(std::string_view{large}.substr(0, 300'000));
    EXPECT_EQ(step.event, Event::more);
    EXPECT_FALSE(reader->is_between_messages());
    EXPECT_GE(reader->bytes(), 299'000U);
    EXPECT_LE(reader->bytes(), 600'000U);
    reader->read(std::string_view{large}.substr(300'000));
    EXPECT_TRUE(reader->is_between_messages());
    FrameReader::give_back(std::move(reader));
    EXPECT_EQ(FrameReader::lend(1'000'000, nullptr)->bytes(), 0U);
}

TEST(FrameReader, IsLentAgain) {
    auto reader = FrameReader::lend(1000, nullptr);
    EXPECT_EQ(read(*reader, frames::text("one")), "text:one ");
    FrameReader* const first = reader.get();
    FrameReader::give_back(std::move(reader));
    reader = FrameReader::lend(3, nullptr);
    EXPECT_EQ(reader.get(), first);
    EXPECT_EQ(read(*reader, frames::text("two") + frames::text("four")), "text:two fault:1009");
    FrameReader::give_back(std::move(reader));
    EXPECT_EQ(read(*FrameReader::lend(4, nullptr), frames::text("four")), "text:four ");
}

TEST(Mask, IsTheSameForEverySizeAndPlace) {
    std::mt19937 random{1};
    std::string plain(200, '\0');
    for (char& byte : plain) byte = static_cast<char>(random());
    const std::array<char, 4> key{'\x12', '\x34', '\x56', '\x78'};
    for (std::size_t cut = 0; cut < plain.size(); ++cut) {
        std::string masked = plain;
        Mask mask{key};
        mask.apply(masked.data(), plain.data(), cut);
        mask.apply(masked.data() + cut, plain.data() + cut, plain.size() - cut);
        for (std::size_t i = 0; i < plain.size(); ++i)
            ASSERT_EQ(masked[i], static_cast<char>(plain[i] ^ key[i % 4])) << cut;
    }
}

}  // namespace
}  // namespace weir::web::ws
