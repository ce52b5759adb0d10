#include "net/io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

#include "net/unique_fd.h"

namespace weir::net {
namespace {

class Io : public ::testing::Test {
   protected:
    Io() {
        std::array<int, 2> pair;
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0)
            std::abort();
        ours.reset(pair[0]);
        theirs.reset(pair[1]);
    }

    /// Returns what has arrived at the other side.
    std::string arrived() {
        std::array<char, 64> into;
        const Moved got = receive(theirs.get(), into);
        return {into.data(), got.size};
    }

    /// Writes until the socket takes no more.
    void fill() {
        const std::string much(65536, 'x');
        const std::array parts{std::string_view{much}};
        while (send(ours.get(), parts, false).kind == Moved::Kind::bytes) {}
    }

    UniqueFd ours;
    UniqueFd theirs;
};

UniqueFd file_with(std::string_view content) {
    std::string name = ::testing::TempDir() + "weir-XXXXXX";
    UniqueFd fd{::mkstemp(name.data())};
    ::unlink(name.c_str());
    EXPECT_EQ(::write(fd.get(), content.data(), content.size()),
              static_cast<ssize_t>(content.size()));
    return fd;
}

TEST_F(Io, ReceivesNothingThenBytesThenTheEnd) {
    std::array<char, 8> into;
    EXPECT_EQ(receive(ours.get(), into).kind, Moved::Kind::would_block);
    ASSERT_EQ(::write(theirs.get(), "weir", 4), 4);
    const Moved got = receive(ours.get(), into);
    EXPECT_EQ(got.kind, Moved::Kind::bytes);
    EXPECT_EQ((std::string_view{into.data(), got.size}), "weir");
    theirs.reset();
    EXPECT_EQ(receive(ours.get(), into).kind, Moved::Kind::ended);
}

TEST_F(Io, SendsPartsInOrder) {
    const std::array<std::string_view, 3> parts{"one ", "two ", "three"};
    EXPECT_EQ(send(ours.get(), parts, false).size, 13u);
    EXPECT_EQ(arrived(), "one two three");
}

TEST_F(Io, SaysWhenTheSocketIsFull) {
    fill();
    const std::array<std::string_view, 2> parts{"a", "b"};
    EXPECT_EQ(send(ours.get(), parts, false).kind, Moved::Kind::would_block);
    const auto file = file_with("c");
    EXPECT_EQ(send_file(ours.get(), file.get(), 0, 1).kind, Moved::Kind::would_block);
}

TEST_F(Io, SendsAStretchOfAFile) {
    const auto file = file_with("0123456789");
    const Moved sent = send_file(ours.get(), file.get(), 2, 5);
    EXPECT_EQ(sent.kind, Moved::Kind::bytes);
    EXPECT_EQ(sent.size, 5u);
    EXPECT_EQ(arrived(), "23456");
}

TEST_F(Io, SaysWhenTheFileEnds) {
    const auto file = file_with("0123456789");
    EXPECT_EQ(send_file(ours.get(), file.get(), 8, 5).size, 2u);
    EXPECT_EQ(send_file(ours.get(), file.get(), 10, 5).kind, Moved::Kind::ended);
}

TEST_F(Io, ReadsWhatCannotBeSentFromWhereItLies) {
    // sendfile(2) fails with EINVAL for a directory, as it does for files without a page cache.
    const UniqueFd directory{::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const Moved refused = send_file(ours.get(), directory.get(), 0, 1);
    EXPECT_EQ(refused.kind, Moved::Kind::failed);
    EXPECT_EQ(refused.error, EISDIR);  // the error of the read(2) that replaces it
}

TEST_F(Io, SendsNoMoreThanTheStretchOfWhatItHasToRead) {
    // sendfile(2) doesn't take this file.
    const UniqueFd arguments{::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)};
    ASSERT_EQ(::sendfile(ours.get(), arguments.get(), nullptr, 1), -1);
    std::array<char, 10> content;
    ASSERT_EQ(::pread(arguments.get(), content.data(), content.size(), 0), 10);
    EXPECT_EQ(send_file(ours.get(), arguments.get(), 2, 5).kind, Moved::Kind::bytes);
    EXPECT_EQ(arrived(), (std::string_view{content.data() + 2, 5}));
}

TEST_F(Io, APeerThatHasGoneIsAnErrorAndNoSignal) {
    const SigpipeBlocked blocked;
    theirs.reset();
    const std::array<std::string_view, 1> parts{"weir"};
    const Moved sent = send(ours.get(), parts, false);
    EXPECT_EQ(sent.kind, Moved::Kind::failed);
    EXPECT_EQ(sent.error, EPIPE);
    const auto file = file_with("weir");
    EXPECT_EQ(send_file(ours.get(), file.get(), 0, 4).error, EPIPE);
}

volatile std::sig_atomic_t signals_seen = 0;

TEST_F(Io, ABlockedSigpipeIsForgotten) {
    signals_seen = 0;
    const auto before = std::signal(SIGPIPE, [](int) { signals_seen = signals_seen + 1; });
    theirs.reset();
    {
        const SigpipeBlocked blocked;
        const auto file = file_with("weir");
        send_file(ours.get(), file.get(), 0, 4);
    }
    EXPECT_EQ(signals_seen, 0);
    std::raise(SIGPIPE);  // afterwards, SIGPIPE is delivered again
    EXPECT_EQ(signals_seen, 1);
    std::signal(SIGPIPE, before);
}

TEST(UniqueFd, ClosesOnce) {
    int number = -1;
    {
        UniqueFd fd{::eventfd(0, EFD_CLOEXEC)};
        number = fd.get();
        UniqueFd moved{std::move(fd)};
        EXPECT_FALSE(fd);  // NOLINT(bugprone-use-after-move): the test checks this state
        EXPECT_TRUE(moved);
    }
    EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace weir::net
