#include "server/log/target/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

namespace weir::server {
namespace {

/// Both ends of a pipe or a socket pair, of which nobody reads. Writing to it blocks.
struct Unread {
    net::UniqueFd reader;
    net::UniqueFd writer;

    std::size_t fill() const {
        std::size_t size = 0;
        const std::string piece(1'024, 'x');
        for (ssize_t taken = 0; (taken = write_at_once(writer.get(), piece)) > 0;)
            size += static_cast<std::size_t>(taken);
        EXPECT_EQ(errno, EAGAIN);
        return size;
    }
    std::string read(std::size_t size) const {
        std::string bytes(size, '\0');
        bytes.resize(static_cast<std::size_t>(::read(reader.get(), bytes.data(), size)));
        return bytes;
    }
};

Unread make_pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    return {net::UniqueFd{ends[0]}, net::UniqueFd{ends[1]}};
}

Unread make_sockets() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {net::UniqueFd{ends[0]}, net::UniqueFd{ends[1]}};
}

TEST(Output, NeverWaitsForAReader) {
    for (const Unread& unread : {make_pipe(), make_sockets()}) {
        const auto filled = unread.fill();
        EXPECT_GT(filled, 0u);
        EXPECT_EQ(unread.read(filled).size(), filled);
        EXPECT_EQ(write_at_once(unread.writer.get(), "next"), 4);
        EXPECT_EQ(unread.read(4), "next");
        EXPECT_EQ(::fcntl(unread.writer.get(), F_GETFL) & O_NONBLOCK, 0);  // others share that
    }
}

TEST(Output, GoesOnInAFileWhereOthersHaveEnded) {
    std::FILE* const file = std::tmpfile();
    const int fd = ::fileno(file);
    EXPECT_EQ(::write(fd, "one ", 4), 4);
    EXPECT_EQ(write_at_once(fd, "two "), 4);
    EXPECT_EQ(::write(fd, "three", 5), 5);
    std::array<char, 32> bytes{};
    EXPECT_EQ(::pread(fd, bytes.data(), bytes.size(), 0), 13);
    EXPECT_STREQ(bytes.data(), "one two three");
    std::fclose(file);
}

}  // namespace
}  // namespace weir::server
