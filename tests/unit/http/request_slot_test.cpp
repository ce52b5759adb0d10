#include "http/request_slot.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace weir::http {
namespace {

TEST(RequestSlot, CountsTheMemoryOfAllThatItKeeps) {
    constexpr std::size_t fields = 50;
    std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
    for (std::size_t i = 0; i < fields; ++i) head += "X-" + std::to_string(i) + ": value\r\n";
    head += "\r\n";
    RequestSlot slot;
    std::size_t least = sizeof(RequestSlot) + sizeof(Request);
    EXPECT_GE(slot.bytes(), least);
    ASSERT_EQ(slot.parse(head, Limits{}), HeadParser::Result::complete);
    least += fields * sizeof(FieldLine);
    EXPECT_GE(slot.bytes(), least);
    slot.own();
    least += head.size();
    EXPECT_GE(slot.bytes(), least);
    slot.content().assign(10'000, 'c');
    least += 10'000;
    EXPECT_GE(slot.bytes(), least);
    slot.content_complete(std::string(5'000, 't'));
    least += 5'000;
    EXPECT_GE(slot.bytes(), least);
}

struct Peer final : Origin {
    void append_address(std::string&) const override {}
    std::shared_ptr<Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }
};

struct OneRequest : ::testing::Test {
    std::string head = "GET /a/b?c=d HTTP/1.1\r\nHost: a\r\n\r\n";
    Peer peer;
    RequestSlot slot;

    OneRequest() { begin(); }
    void begin() {
        EXPECT_EQ(slot.parse(head, Limits{}), HeadParser::Result::complete);
        slot.interpret(peer, 1);
    }
    const Request& request() const { return slot.request(); }
};

TEST_F(OneRequest, IsSeenUnderAnotherPath) {
    request().mount(2);
    const auto before = request().rewrite("/x/y?z");
    EXPECT_EQ(request().path(), "/x/y");
    EXPECT_EQ(request().prefix(), "");
    EXPECT_EQ(request().query(), "z");
    EXPECT_EQ(request().target(), "/a/b?c=d");
    EXPECT_EQ(request().authority(), "a");
    static_cast<void>(request().rewrite("/w"));
    EXPECT_EQ(request().path(), "/w");
    EXPECT_EQ(request().query(), "");
    head.assign(head.size(), '!');  // the engine's buffer is used again
    slot.own();
    EXPECT_EQ(request().path(), "/w");
    request().restore(before);
    EXPECT_EQ(request().prefix(), "/a");
    EXPECT_EQ(request().path(), "/b");
    EXPECT_EQ(request().query(), "c=d");
}

TEST_F(OneRequest, LeavesNoUserAndNoPathToTheNext) {
    static_cast<void>(request().rewrite("/x"));
    request().user("a user whose name is longer than a short string");
    EXPECT_FALSE(request().user().empty());
    slot.reset();
    begin();
    EXPECT_EQ(request().user(), "");
    EXPECT_EQ(request().path(), "/a/b");
    const auto shared = request().share();
    shared->user("ada");
    slot.reset();
    begin();
    EXPECT_EQ(request().user(), "");
    EXPECT_EQ(shared->user(), "ada");
}

}  // namespace
}  // namespace weir::http
