#include "supervisor/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace weir::supervisor {
namespace {

using Kind = Message::Kind;

struct ChannelTest : ::testing::Test {
    Channel channel = open_channel().value();
    int to() const { return channel.generation.get(); }
    auto next() const { return receive_message(channel.supervisor.get()); }
};

TEST_F(ChannelTest, KeepsMessagesApart) {
    ASSERT_FALSE(send_message(to(), Kind::said, "one"));
    ASSERT_FALSE(send_message(to(), Kind::ready, ""));
    const auto first = next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->kind, Kind::said);
    EXPECT_EQ(first->text, "one");
    EXPECT_FALSE(first->fd);
    EXPECT_EQ(next()->kind, Kind::ready);
    EXPECT_FALSE(next().has_value());
}

TEST_F(ChannelTest, CarriesDescriptors) {
    const net::UniqueFd sent{::eventfd(0, EFD_CLOEXEC)};
    ASSERT_FALSE(send_message(to(), Kind::socket, {}, sent.get()));
    const auto message = next();
    ASSERT_TRUE(message.has_value());
    ASSERT_TRUE(message->fd);
    EXPECT_NE(::fcntl(message->fd.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(ChannelTest, CutsTextsThatAreTooLong) {
    ASSERT_FALSE(send_message(to(), Kind::said, std::string(10'000, 'x')));
    EXPECT_EQ(next()->text.size(), message_bytes_max - 1);
}

TEST_F(ChannelTest, IgnoresWhatIsNoMessage) {
    ASSERT_EQ(::send(to(), "?what", 5, 0), 5);
    EXPECT_FALSE(next().has_value());
}

TEST_F(ChannelTest, EndsWithItsOtherSide) {
    channel.generation.reset();
    EXPECT_FALSE(next().has_value());
}

TEST(ChannelTime, IsReadAsItIsWritten) {
    EXPECT_EQ(read_time(write_time(std::chrono::milliseconds{10'500}))->count(), 10'500);
    for (const auto* const text : {"", "-1", "x", "1 ", "1 2", "99999999999"})
        EXPECT_FALSE(read_time(text).has_value()) << text;
}

}  // namespace
}  // namespace weir::supervisor
