#include "supervisor/activation.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdlib>

#include "net/listener.h"

namespace weir::supervisor {
namespace {

std::vector<Activated> take(const std::string& pid, const char* count, const char* names) {
    ::setenv("LISTEN_PID", pid.c_str(), 1);
    ::setenv("LISTEN_FDS", count, 1);
    ::setenv("LISTEN_FDNAMES", names, 1);
    std::vector<std::string> complaints;
    return take_activated(complaints);
}

TEST(Activation, IsForTheProcessThatItNames) {
    EXPECT_TRUE(take(std::to_string(::getpid() + 1), "1", "").empty());
    EXPECT_TRUE(take("", "1", "").empty());
    EXPECT_EQ(std::getenv("LISTEN_PID"), nullptr);
    EXPECT_EQ(std::getenv("LISTEN_FDS"), nullptr);
    EXPECT_EQ(std::getenv("LISTEN_FDNAMES"), nullptr);
}

TEST(Activation, NeedsANumber) {
    for (const auto* const count : {"", "0", "-1", "x", "1x", "99999999"})
        EXPECT_TRUE(take(std::to_string(::getpid()), count, "").empty()) << count;
}

TEST(Activation, KnowsWhereASocketListens) {
    const auto listener = net::Listener::open(*net::Address::parse("127.0.0.1", 0));
    ASSERT_TRUE(listener.has_value());
    EXPECT_EQ(address_text(listener->fd()), listener->address().text());
    const net::UniqueFd other{::eventfd(0, EFD_CLOEXEC)};
    EXPECT_EQ(address_text(other.get()), "");
    const net::UniqueFd unbound{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    EXPECT_EQ(address_text(unbound.get()), "");
}

}  // namespace
}  // namespace weir::supervisor
