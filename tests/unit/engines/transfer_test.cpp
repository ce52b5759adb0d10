#include "engines/peer/transfer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "net/accept.h"
#include "net/io.h"
#include "net/listener.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

class Transfer : public ::testing::Test {
   protected:
    Transfer() {
        auto listener = net::Listener::open(*net::Address::parse("127.0.0.1", 0)).value();
        theirs.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const auto& address = listener.address();
        if (::connect(theirs.get(), address.data(), address.size()) != 0) std::abort();
        peer.socket = net::accept_connection(listener.fd()).socket;
        auto fake = std::make_unique<FakeConnection>();
        connection = fake.get();
        peer.connection = std::move(fake);
        peer.readable = peer.writable = true;
    }

    void they_send(std::string_view bytes) {
        ASSERT_EQ(::send(theirs.get(), bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
    }

    void they_reset() {
        const linger at_once{1, 0};
        ::setsockopt(theirs.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        theirs.reset();
    }

    std::string they_receive(std::size_t size) {
        std::string bytes(size, '\0');
        const auto got = ::recv(theirs.get(), bytes.data(), size, MSG_WAITALL);
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    }

    /// That our side has sent so far.
    std::uint32_t segments() const {
        tcp_info info{};
        socklen_t size = sizeof info;
        EXPECT_EQ(::getsockopt(peer.socket.get(), IPPROTO_TCP, TCP_INFO, &info, &size), 0);
        return info.tcpi_segs_out;
    }

    http::FileRange file_of(std::string_view content, std::uint64_t size) {
        std::string name = ::testing::TempDir() + "weir-XXXXXX";
        file_.reset(::mkstemp(name.data()));
        ::unlink(name.c_str());
        EXPECT_EQ(::write(file_.get(), content.data(), content.size()),
                  static_cast<ssize_t>(content.size()));
        return {file_.get(), 0, size};
    }

    Peer peer;
    FakeConnection* connection = nullptr;
    net::UniqueFd theirs;
    std::array<char, 16> buffer;
    Now now{};

   private:
    net::UniqueFd file_;
};

TEST_F(Transfer, AShortReadEmptiesTheSocket) {
    they_send("weir");
    receive(peer, buffer, now);
    EXPECT_EQ(connection->log, "weir");
    EXPECT_FALSE(peer.readable);
}

TEST_F(Transfer, AFullBufferMayLeaveMore) {
    they_send("0123456789abcdefgh");
    receive(peer, buffer, now);
    EXPECT_TRUE(peer.readable);
    receive(peer, buffer, now);
    EXPECT_EQ(connection->log, "0123456789abcdefgh");
    EXPECT_FALSE(peer.readable);
}

TEST_F(Transfer, TheEndIsReadBehindTheLastBytes) {
    they_send("weir");
    theirs.reset();
    peer.ended = true;  // as the poller has announced
    receive(peer, buffer, now);
    EXPECT_TRUE(peer.readable);
    receive(peer, buffer, now);
    EXPECT_EQ(connection->log, "weir<end>");
    EXPECT_FALSE(peer.readable);
}

TEST_F(Transfer, NothingToReadIsNothingToTell) {
    receive(peer, buffer, now);
    EXPECT_EQ(connection->log, "");
    EXPECT_FALSE(peer.readable);
    EXPECT_FALSE(connection->failed);
}

TEST_F(Transfer, AResetFailsTheConnection) {
    they_reset();
    receive(peer, buffer, now);
    EXPECT_EQ(connection->failed, http::Outcome::peer_gone);
}

TEST_F(Transfer, SendsPartsThenTheFile) {
    connection->sends({.parts = {"head ", "body ", ""}, .file = file_of("file", 4)});
    transmit(peer, now);
    EXPECT_EQ(connection->log, "<transmitted 10>");
    connection->transmission.parts = {};
    transmit(peer, now);
    EXPECT_EQ(connection->log, "<transmitted 10><transmitted 4>");
    EXPECT_EQ(they_receive(14), "head body file");
    EXPECT_TRUE(peer.writable);
}

TEST_F(Transfer, ALargeFileTakesItsTurns) {
    const std::string large(3 * file_bytes_per_call, 'x');
    connection->sends({.parts = {}, .file = file_of(large, large.size())});
    transmit(peer, now);
    EXPECT_EQ(connection->log, "<transmitted " + std::to_string(file_bytes_per_call) + ">");
}

TEST_F(Transfer, AFullSocketIsNotWritable) {
    const std::string much(64 * 1024 * 1024, 'x');
    connection->sends({.parts = {much}, .file = {}});
    transmit(peer, now);
    EXPECT_FALSE(peer.writable);  // told by the short write, without asking again
    EXPECT_NE(connection->log, "");
    connection->log.clear();
    transmit(peer, now);
    EXPECT_FALSE(peer.writable);
    EXPECT_EQ(connection->log, "");
    EXPECT_FALSE(connection->failed);
}

TEST_F(Transfer, AFileThatShrankFailsTheConnection) {
    connection->sends({.parts = {}, .file = file_of("short", 100)});
    transmit(peer, now);
    connection->transmission.file.offset = 5;
    transmit(peer, now);
    EXPECT_EQ(connection->failed, http::Outcome::source_failed);
}

TEST_F(Transfer, AFileThatCannotBeReadFailsTheConnection) {
    const net::UniqueFd directory{::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    connection->sends({.parts = {}, .file = {directory.get(), 0, 1}});
    transmit(peer, now);
    EXPECT_EQ(connection->failed, http::Outcome::source_failed);
}

TEST_F(Transfer, SendingToAPeerThatHasGoneFails) {
    const net::SigpipeBlocked blocked;
    they_reset();
    connection->sends({.parts = {}, .file = file_of("weir", 4)});
    transmit(peer, now);
    EXPECT_EQ(connection->failed, http::Outcome::peer_gone);
}

TEST_F(Transfer, FinishingLetsThePeerSeeTheEndAndStillSend) {
    finish_sending(peer);
    EXPECT_EQ(they_receive(1), "");
    they_send("more");
    receive(peer, buffer, now);
    EXPECT_EQ(connection->log, "more");
}

TEST_F(Transfer, DeliversAnswersAndWakeUps) {
    Completion wake{{}, std::nullopt};
    Completion answer{{}, http::Response{}};
    wake.deliver(*peer.connection, now);
    answer.deliver(*peer.connection, now);
    EXPECT_EQ(connection->log, "<wake><respond>");
}

TEST_F(Transfer, TheEndRidesInTheLastSegment) {
    const auto before = segments();
    connection->sends({.parts = {"goodbye"}, .file = {}, .ends = true});
    transmit(peer, now);
    EXPECT_TRUE(peer.sending_finished);
    EXPECT_EQ(they_receive(8), "goodbye");  // and then the end
    EXPECT_EQ(segments(), before + 1);
}

TEST_F(Transfer, TheEndWaitsForWhatTheSocketDidNotTake) {
    const std::string much(16 * 1024 * 1024, 'x');
    connection->sends({.parts = {much}, .file = {}, .ends = true});
    transmit(peer, now);
    EXPECT_FALSE(peer.writable);
    EXPECT_FALSE(peer.sending_finished);
}

}  // namespace
}  // namespace weir::engines
