#include "http/request_slot.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace weir::http
