#include "supervisor/systemd/passed_sockets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "net/unique_fd.h"

namespace weir::supervisor {
namespace {

constexpr pid_t own = 42;

std::string in_words(const PassedSockets& passed) {
    std::string text = passed.why_none;
    for (const PassedSocket& each : passed.sockets)
        text += std::to_string(each.fd) + '=' + each.name + ' ';
    return text;
}

std::string read(const char* pid, const char* count, const char* names) {
    return in_words(read_passed_sockets({.pid = pid, .count = count, .names = names}, own));
}

TEST(PassedSockets, HaveNumbersAndNames) {
    EXPECT_EQ(read("42", "2", "web:tls"), "3=web 4=tls ");
    EXPECT_EQ(read("42", "2", "web"), "3=web 4=unknown ");
    EXPECT_EQ(read("42", "3", "a::c"), "3=a 4=unknown 5=c ");
    EXPECT_EQ(read("42", "1", "a:b"), "3=a ");
    EXPECT_EQ(read("42", "1", nullptr), "3=unknown ");
    EXPECT_EQ(read("42", "1", ""), "3=unknown ");
}

TEST(PassedSockets, AreThoseOfThisProcess) {
    EXPECT_EQ(read(nullptr, nullptr, nullptr), "LISTEN_FDS is not set");
    EXPECT_EQ(read(nullptr, "1", nullptr), "LISTEN_PID is not set");
    for (const char* const pid : {"41", "042x", "", "-42", "99999999999999999999"})
        EXPECT_TRUE(read(pid, "1", nullptr).starts_with("LISTEN_PID is ")) << pid;
}

TEST(PassedSockets, AreASmallNumber) {
    EXPECT_EQ(read("42", "0", nullptr), "LISTEN_FDS is 0");
    for (const char* const count : {"-1", "1025", "x", "", "1 ", "99999999999999999999"})
        EXPECT_EQ(read("42", count, nullptr),
                  "LISTEN_FDS is '" + std::string{count} + "', and no number up to 1024");
}

TEST(PassedSockets, LeaveTheEnvironment) {
    // NOLINTBEGIN(concurrency-mt-unsafe): the test has one thread
    for (const char* const each : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"})
        ::setenv(each, "1", 1);
    EXPECT_TRUE(take_passed_sockets().sockets.empty());
    for (const char* const each : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"})
        EXPECT_EQ(std::getenv(each), nullptr) << each;
    // NOLINTEND(concurrency-mt-unsafe)
}

TEST(PassedSockets, PassOnWithTheNumberOfTheProcess) {
    const net::UniqueFd file{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    const PassedSockets passed{.sockets = {{.fd = file.get(), .name = "web"}}};
    ASSERT_TRUE(pass_on(passed));
    // NOLINTBEGIN(concurrency-mt-unsafe): the test has one thread
    EXPECT_EQ(std::getenv("LISTEN_PID"), std::to_string(::getpid()));
    EXPECT_STREQ(std::getenv("LISTEN_FDS"), "1");
    EXPECT_STREQ(std::getenv("LISTEN_FDNAMES"), "web");
    for (const char* const each : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(each);
    // NOLINTEND(concurrency-mt-unsafe)
    EXPECT_EQ(::fcntl(file.get(), F_GETFD), 0);  // open over execve(2)
}

net::UniqueFd internet_socket(int type) {
    net::UniqueFd fd{::socket(AF_INET, type | SOCK_CLOEXEC, 0)};
    const sockaddr_in any{
        .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
    return fd;
}

TEST(PassedSockets, MustListen) {
    const auto stream = internet_socket(SOCK_STREAM);
    EXPECT_TRUE(fault_of_socket(stream.get()).starts_with("does not listen"));
    ASSERT_EQ(::listen(stream.get(), 1), 0);
    EXPECT_EQ(fault_of_socket(stream.get()), "");
    EXPECT_EQ(fault_of_socket(internet_socket(SOCK_DGRAM).get()),
              "is no stream socket (ListenStream=)");
    const net::UniqueFd file{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    EXPECT_EQ(fault_of_socket(file.get()), "is no socket");
    EXPECT_EQ(fault_of_socket(-1), "is not open");
    const net::UniqueFd other{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0)};
    EXPECT_EQ(fault_of_socket(other.get()), "is neither an Internet socket nor a unix socket");
}

}  // namespace
}  // namespace weir::supervisor
