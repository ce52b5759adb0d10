#include "net/ring/buffer_ring.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <string>
#include <string_view>
#include <vector>

#include "connected_pair.h"
#include "net/ring/ring.h"

namespace weir::net {
namespace {

constexpr int not_at_all = 0;

void write_to(const UniqueFd& socket, std::string_view bytes) {
    ASSERT_EQ(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
}

/// Receives into a ring of buffers.
struct BufferRingTest : ::testing::Test {
    static constexpr std::uint16_t count = 4;
    static constexpr std::uint32_t bytes = 16;

    void SetUp() override {
        if (const auto error = ring.open(64, 128, {})) GTEST_SKIP() << error.message();
        if (!ring.features().receive_many) GTEST_SKIP() << "this kernel can't";
        ASSERT_FALSE(buffers.open(ring, 3, count, bytes));
        ASSERT_FALSE(ring.enable());
    }
    /// Returns everything that has arrived; keeps the buffers in use.
    std::string received(std::vector<std::uint16_t>& kept) {
        std::string all;
        for (const auto& completion : ring.wait(not_at_all)) {
            last = completion;
            if (!completion.buffer()) continue;
            kept.push_back(*completion.buffer());
            all += buffers.bytes(kept.back(), static_cast<std::size_t>(completion.result));
        }
        return all;
    }

    Ring ring;
    BufferRing buffers;
    Ring::Completion last{};
};

TEST_F(BufferRingTest, BytesComeWithTheirBufferUntilTheEnd) {
    auto [here, there] = connected_pair();
    ring.receive_many(here.get(), buffers.group(), 1);
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    for (int i = 0; i < 3 * count; ++i) {
        write_to(there, std::to_string(i));
        std::vector<std::uint16_t> kept;
        EXPECT_EQ(received(kept), std::to_string(i));
        EXPECT_FALSE(last.is_last());
        for (const auto buffer : kept) buffers.give_back(buffer);
    }
    there.reset();
    std::vector<std::uint16_t> kept;
    EXPECT_EQ(received(kept), "");
    EXPECT_EQ(last.result, 0);
    EXPECT_TRUE(last.is_last());
    EXPECT_THAT(kept, ::testing::IsEmpty());
}

TEST_F(BufferRingTest, ASocketThatDoesNotBlockIsWaitedForAllTheSame) {
    auto [here, there] = connected_pair();
    ASSERT_EQ(::fcntl(here.get(), F_SETFL, O_NONBLOCK), 0);
    ring.receive_many(here.get(), buffers.group(), 1);
    std::vector<std::uint16_t> kept;
    EXPECT_EQ(received(kept), "");
    write_to(there, "text");
    EXPECT_EQ(received(kept), "text");
}

TEST_F(BufferRingTest, WantOfBuffersEndsItAndLosesNothing) {
    const auto [here, there] = connected_pair();
    const std::string sent = "as much as goes into all four buffers, and some more than that";
    static_assert(count * bytes > 60);
    ring.receive_many(here.get(), buffers.group(), 1);
    write_to(there, sent + sent);
    std::vector<std::uint16_t> kept;
    std::string all = received(kept);
    EXPECT_EQ(last.result, -ENOBUFS);
    EXPECT_TRUE(last.is_last());
    EXPECT_EQ(kept.size(), count);
    while (!kept.empty()) {
        for (const auto buffer : kept) buffers.give_back(buffer);
        kept.clear();
        ring.receive_many(here.get(), buffers.group(), 1);
        all += received(kept);
    }
    EXPECT_EQ(all, sent + sent);
}

}  // namespace
}  // namespace weir::net
