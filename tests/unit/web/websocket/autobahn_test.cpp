// The cases of the Autobahn test suite (crossbario/autobahn-testsuite, groups 1 to 7, 9 and 10), against an
// echo: what a client sends, and what it gets. Each is played whole, byte by byte, and in two pieces.
// The numbers are those of the suite. Group 9 is shorter than there: the sizes, not the repetitions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/websocket_frames.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace weir::tests::websocket {
namespace {

using web::Probe;
using web::Router;
using web::Task;
using web::WebSocket;

struct Case {
    std::string number;
    std::string sent;
    std::string got;
};

const std::string good = "Hello-\u00b5@\u00df\u00f6\u00e4\u00fc\u00e0\u00e1-UTF-8!!";
const std::string bye = close(1000);
const std::string bad_utf8 =
    "\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80"
    "edited";

std::string raw(unsigned opcode, std::string_view payload = {}, unsigned reserved = 0,
                bool is_last = true) {
    return bytes_of(
        {.opcode = opcode, .payload = payload, .is_last = is_last, .reserved = reserved});
}

/// In fragments of one size.
std::string fragments(unsigned opcode, std::string_view payload, std::size_t size) {
    std::string out = raw(opcode, payload.substr(0, size), 0, size >= payload.size());
    for (std::size_t at = size; at < payload.size(); at += size)
        out += more(payload.substr(at, size), at + size >= payload.size());
    return out;
}

std::string echoed(std::string_view name, std::string_view payload) {
    const bool is_long = payload.size() > 60;
    return std::string{name} +
           (is_long ? "#" + std::to_string(payload.size()) : ":" + std::string{payload});
}

void add_framing(std::vector<Case>& cases) {  // 1
    int number = 1;
    for (const std::size_t size : {0, 125, 126, 127, 128, 65'535, 65'536}) {
        const std::string payload(size, '*');
        cases.push_back({"1.1." + std::to_string(number), text(payload) + bye,
                         echoed("text", payload) + " close:1000"});
        cases.push_back({"1.2." + std::to_string(number++), binary(payload) + bye,
                         echoed("binary", payload) + " close:1000"});
    }
}

void add_pings(std::vector<Case>& cases) {  // 2
    const std::string binary_payload = "\xfe\xff\xfe\xfd\xfc\xfb";
    cases.push_back({"2.1", ping() + bye, "pong: close:1000"});
    cases.push_back({"2.2", ping("Hello, world!") + bye, "pong:Hello, world! close:1000"});
    cases.push_back({"2.3", ping(binary_payload) + bye, "pong:" + binary_payload + " close:1000"});
    cases.push_back({"2.4", ping(std::string(125, '\xfe')) + bye, "pong#125 close:1000"});
    cases.push_back({"2.5", ping(std::string(126, '\xfe')) + bye, "close:1002"});
    cases.push_back({"2.7", pong() + bye, "close:1000"});
    cases.push_back({"2.8", pong("unsolicited") + bye, "close:1000"});
    cases.push_back({"2.9", pong("unsolicited") + ping("x") + bye, "pong:x close:1000"});
}

void add_reserved(std::vector<Case>& cases) {  // 3 and 4
    cases.push_back({"3.1", raw(1, "x", 1), "close:1002"});
    cases.push_back({"3.2", text("first") + raw(1, "x", 2) + ping(), "text:first close:1002"});
    cases.push_back({"3.4", text("first") + raw(1, "x", 4) + ping(), "text:first close:1002"});
    cases.push_back({"3.5", raw(2, "\1\2", 5), "close:1002"});
    cases.push_back({"3.6", raw(9, "x", 6), "close:1002"});
    cases.push_back({"3.7", raw(8, {}, 7), "close:1002"});
    for (const unsigned opcode : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U})
        cases.push_back({"4." + std::to_string(opcode), text("first") + raw(opcode, "x") + ping(),
                         "text:first close:1002"});
}

void add_fragments(std::vector<Case>& cases) {  // 5
    const std::string two = text("fragment1", false) + more("fragment2", true);
    const std::string whole = "text:fragment1fragment2";
    cases.push_back({"5.1", raw(9, "x", 0, false) + more("y", true), "close:1002"});
    cases.push_back({"5.2", raw(10, "x", 0, false) + more("y", true), "close:1002"});
    cases.push_back({"5.3", two + bye, whole + " close:1000"});
    cases.push_back({"5.6", text("fragment1", false) + ping("p") + more("fragment2", true) + bye,
                     "pong:p " + whole + " close:1000"});
    cases.push_back({"5.9", more("non-continuation", true) + text("Hello"), "close:1002"});
    cases.push_back({"5.12", more("non-continuation") + text("Hello"), "close:1002"});
    cases.push_back({"5.15", two + more("fragment3") + text("fragment4"), whole + " close:1002"});
    cases.push_back({"5.18", text("fragment1", false) + text("fragment2"), "close:1002"});
    cases.push_back(
        {"5.19",
         text("fragment1", false) + more("fragment2") + ping("1") + more("fragment3") +
             more("fragment4") + ping("2") + more("fragment5", true) + bye,
         "pong:1 pong:2 text:fragment1fragment2fragment3fragment4fragment5 close:1000"});
}

void add_text(std::vector<Case>& cases) {  // 6
    cases.push_back({"6.1.1", text("") + bye, "text: close:1000"});
    cases.push_back(
        {"6.1.2", text("", false) + more("") + more("", true) + bye, "text: close:1000"});
    cases.push_back({"6.1.3", text("", false) + more("middle") + more("", true) + bye,
                     "text:middle close:1000"});
    cases.push_back({"6.2.1", text(good) + bye, "text:" + good + " close:1000"});
    cases.push_back({"6.2.3", fragments(1, good, 1) + bye, "text:" + good + " close:1000"});
    cases.push_back({"6.3.1", text(bad_utf8), "close:1007"});
    cases.push_back({"6.3.2", fragments(1, bad_utf8, 1), "close:1007"});
    // Fails before the message is whole.
    const std::string so_far = "\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
    cases.push_back({"6.4.1", text(so_far, false) + more("\xf4\x90\x80\x80"), "close:1007"});
    cases.push_back({"6.4.2", text(so_far + "\xf4", false) + more("\x90"), "close:1007"});
    cases.push_back({"6.4.3",
                     text(so_far + "\xf4\x90\x80\x80"
                                   "edited")
                         .substr(0, 22),
                     "close:1007"});
    int number = 1;
    for (const std::string_view valid :
         {"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5", "\x7f", "\xc2\x80", "\xdf\xbf",
          "\xe0\xa0\x80", "\xef\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbd",
          "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbe", "\xf0\x9f\xbf\xbe",
          "\xf4\x8f\xbf\xbe"})
        cases.push_back({"6.5 to 6.23, valid " + std::to_string(number++), text(valid) + bye,
                         "text:" + std::string{valid} + " close:1000"});
    number = 1;
    for (const std::string_view invalid : {"\xce",
                                           "\xce\xba\xe1",
                                           "\xf8\x88\x80\x80\x80",
                                           "\xfc\x84\x80\x80\x80\x80",
                                           "\xf7\xbf\xbf\xbf",
                                           "\xfb\xbf\xbf\xbf\xbf",
                                           "\xf4\x90\x80\x80",
                                           "\x80",
                                           "\xbf",
                                           "\x80\xbf",
                                           "\xc0\x20",
                                           "\xe0\x20",
                                           "\xf0\x20",
                                           "\xc0",
                                           "\xe0\x80",
                                           "\xf0\x80\x80",
                                           "\xdf",
                                           "\xef\xbf",
                                           "\xf7\xbf\xbf",
                                           "\xfe",
                                           "\xff",
                                           "\xc0\xaf",
                                           "\xe0\x80\xaf",
                                           "\xf0\x80\x80\xaf",
                                           "\xc1\xbf",
                                           "\xe0\x9f\xbf",
                                           "\xf0\x8f\xbf\xbf",
                                           "\xed\xa0\x80",
                                           "\xed\xad\xbf",
                                           "\xed\xbf\xbf",
                                           "\xed\xa0\x80\xed\xb0\x80"})
        cases.push_back(
            {"6.6 to 6.21, invalid " + std::to_string(number++), text(invalid), "close:1007"});
}

void add_closing(std::vector<Case>& cases) {  // 7
    cases.push_back({"7.1.1", text("Hello World!") + bye, "text:Hello World! close:1000"});
    cases.push_back({"7.1.2", bye + bye, "close:1000"});
    cases.push_back({"7.1.3", bye + ping(), "close:1000"});
    cases.push_back({"7.1.4", bye + text("Hello World!"), "close:1000"});
    cases.push_back(
        {"7.1.5", text("fragment1", false) + bye + more("fragment2", true), "close:1000"});
    cases.push_back({"7.1.6",
                     binary(std::string(256'000, '*')) + text("Hello World!") + bye + ping(),
                     "binary#256000 text:Hello World! close:1000"});
    cases.push_back({"7.3.1", close(0), "close:"});
    cases.push_back({"7.3.2", raw(8, "a"), "close:1002"});
    cases.push_back({"7.3.3", close(1000), "close:1000"});
    cases.push_back({"7.3.4", close(1000, "Hello World!"), "close:1000"});
    cases.push_back({"7.3.5", close(1000, std::string(123, '*')), "close:1000"});
    cases.push_back({"7.3.6", close(1000, std::string(124, '*')), "close:1002"});
    cases.push_back({"7.5.1", close(1000, bad_utf8), "close:1007"});
    for (const unsigned code : {1000U, 1001U, 1002U, 1003U, 1007U, 1008U, 1009U, 1010U, 1011U,
                                3000U, 3999U, 4000U, 4999U})
        cases.push_back(
            {"7.7, " + std::to_string(code), close(code, "x"), "close:" + std::to_string(code)});
    for (const unsigned code :
         {1U, 999U, 1004U, 1005U, 1006U, 1016U, 1100U, 2000U, 2999U, 5000U, 65'535U})
        cases.push_back({"7.9 and 7.13, " + std::to_string(code), close(code, "x"), "close:1002"});
}

void add_large(std::vector<Case>& cases) {  // 9 and 10
    for (const std::size_t size : {65'536, 262'144, 1'048'576}) {
        const std::string payload(size, '*');
        cases.push_back({"9.1, " + std::to_string(size), text(payload) + bye,
                         echoed("text", payload) + " close:1000"});
        cases.push_back({"9.2, " + std::to_string(size), binary(payload) + bye,
                         echoed("binary", payload) + " close:1000"});
    }
    const std::string payload(262'144, '*');
    for (const std::size_t size : {64, 1024, 65'536})
        cases.push_back({"9.3, fragments of " + std::to_string(size),
                         fragments(1, payload, size) + bye, "text#262144 close:1000"});
    std::string many, all;
    for (int i = 0; i < 200; ++i) {
        many += text(std::to_string(i));
        all += "text:" + std::to_string(i) + " ";
    }
    cases.push_back({"9.7", many + bye, all + "close:1000"});
    cases.push_back(
        {"10.1.1", fragments(1, std::string(65'536, '*'), 1300) + bye, "text#65536 close:1000"});
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    add_framing(cases);
    add_pings(cases);
    add_reserved(cases);
    add_fragments(cases);
    add_text(cases);
    add_closing(cases);
    add_large(cases);
    return cases;
}

struct Autobahn : ::testing::Test {
    Autobahn() {
        router.get("/", web::websocket([](WebSocket socket) -> Task<> {
                       while (const auto message = co_await socket.receive())
                           co_await socket.send(*message);
                   }));
    }
    Router router;

    /// In pieces of `size`, behind a first one.
    std::string play(std::string_view bytes, std::size_t first, std::size_t size) {
        Probe probe{router};
        auto exchange = probe.open("GET", "/", opening());
        exchange.send(bytes.substr(0, first));
        for (std::size_t at = first; at < bytes.size(); at += size)
            exchange.send(bytes.substr(at, size));
        const auto answer = exchange.answer();
        return shown(answer.content) + (answer.is_complete ? "" : ", and goes on");
    }
};

TEST_F(Autobahn, CasesPassWhole) {
    for (const Case& one : all_cases())
        EXPECT_EQ(play(one.sent, one.sent.size(), 1), one.got) << one.number;
}

TEST_F(Autobahn, CasesPassInPieces) {
    for (const Case& one : all_cases()) {
        const std::size_t large = 2000;
        EXPECT_EQ(play(one.sent, 0, one.sent.size() > large ? 997 : 1), one.got) << one.number;
        for (std::size_t cut = 0; cut < one.sent.size() && one.sent.size() <= large; ++cut)
            if (cut < 200) {
                ASSERT_EQ(play(one.sent, cut, one.sent.size()), one.got) << one.number << cut;
            }
    }
}

}  // namespace
}  // namespace weir::tests::websocket
