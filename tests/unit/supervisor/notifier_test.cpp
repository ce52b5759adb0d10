#include "supervisor/systemd/notifier.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "supervisor/systemd/watchdog.h"
#include "supervisor/systemd/watchdog_feed.h"

namespace weir::supervisor {
namespace {

/// The socket of a service manager, with an abstract name.
class Manager {
   public:
    Manager() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path + 1, place_.data() + 1, place_.size() - 1);
        const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + place_.size());
        EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    }

    const std::string& place() const { return place_; }
    /// The next message; "none" if none has come.
    std::string take() const {
        std::array<char, 256> bytes;
        const auto size = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        return size < 0 ? "none" : std::string(bytes.data(), static_cast<std::size_t>(size));
    }

   private:
    const std::string place_ = "@weir-notifier-test-" + std::to_string(::getpid());
    net::UniqueFd socket_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST(Notifier, SendsEachMessageAsADatagram) {
    const Manager manager;
    const auto notifier = Notifier::open(manager.place());
    ASSERT_TRUE(notifier.has_value()) << notifier.error();
    notifier->send("READY=1\nSTATUS=serves");
    notifier->send("STOPPING=1");
    EXPECT_EQ(manager.take(), "READY=1\nSTATUS=serves");
    EXPECT_EQ(manager.take(), "STOPPING=1");
    EXPECT_EQ(manager.take(), "none");
}

TEST(Notifier, TellsTheTimeOfAReload) {
    const Manager manager;
    const auto notifier = Notifier::open(manager.place());
    ASSERT_TRUE(notifier.has_value());
    const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
    const auto before = std::chrono::floor<std::chrono::microseconds>(now()).count();
    notifier->tell_reloading();
    const std::string text = manager.take();
    const std::string beginning = "RELOADING=1\nMONOTONIC_USEC=";
    ASSERT_TRUE(text.starts_with(beginning)) << text;
    const auto time = std::stoll(text.substr(beginning.size()));
    EXPECT_LE(before, time);
    EXPECT_LE(time, std::chrono::ceil<std::chrono::microseconds>(now()).count());
}

TEST(Notifier, IsSilentInAForkedProcess) {
    const Manager manager;
    const auto notifier = Notifier::open(manager.place());
    ASSERT_TRUE(notifier.has_value());
    const pid_t child = ::fork();
    if (child == 0) {
        notifier->send("READY=1");
        ::_exit(EXIT_SUCCESS);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(manager.take(), "none");
}

TEST(Notifier, KeepsErrnoWhenNobodyListens) {
    auto manager = std::make_unique<Manager>();
    const auto notifier = Notifier::open(manager->place());
    ASSERT_TRUE(notifier.has_value());
    manager.reset();
    errno = EXDEV;
    notifier->send("READY=1");
    EXPECT_EQ(errno, EXDEV);
    Notifier{}.send("READY=1");
}

TEST(Notifier, RefusesOtherPlaces) {
    for (const std::string place : {"", "/", "@", "relative", "vsock:2:1"})
        EXPECT_FALSE(Notifier::open(place).has_value()) << place;
    EXPECT_FALSE(Notifier::open("/" + std::string(sizeof(sockaddr_un::sun_path), 'a')).has_value());
}

TEST(Notifier, PutsOneLineIntoTheStatus) {
    EXPECT_EQ(status_line("one\ntwo"), "STATUS=one");
    EXPECT_EQ(status_line(""), "STATUS=");
}

TEST(Watchdog, IsThatOfTheProcess) {
    constexpr pid_t own = 42;
    const auto read = [](const char* time, const char* pid) {
        return read_watchdog(time, pid, own).count();
    };
    EXPECT_EQ(read("30000000", "42"), 30'000'000);
    EXPECT_EQ(read("30000000", nullptr), 30'000'000);
    EXPECT_EQ(read("30000000", "41"), 0);
    EXPECT_EQ(read(nullptr, "42"), 0);
    for (const char* const time : {"", "0", "-1", "1s", "99999999999999999999", "9999999999999999"})
        EXPECT_EQ(read(time, nullptr), 0) << time;
}

TEST(WatchdogFeed, PassesSignsOnAndGivesItsOwnAlone) {
    const Manager manager;
    const auto notifier = Notifier::open(manager.place());
    ASSERT_TRUE(notifier.has_value());
    WatchdogFeed feed{*notifier, std::chrono::seconds{2}};
    const Instant start{};
    const auto at = [&](int seconds) { return start + std::chrono::seconds{seconds}; };
    feed.look(true, false, start);  // alone
    EXPECT_EQ(manager.take(), "WATCHDOG=1");
    EXPECT_EQ(feed.next(), at(1));
    feed.look(true, false, start);
    EXPECT_EQ(manager.take(), "none");
    feed.look(false, false, at(1));  // a generation serves
    EXPECT_EQ(manager.take(), "none");
    EXPECT_EQ(feed.next(), never);
    feed.look(false, true, at(2));
    EXPECT_EQ(manager.take(), "WATCHDOG=1");
    WatchdogFeed{*notifier, std::chrono::seconds{0}}.look(true, true, start);
    EXPECT_EQ(manager.take(), "none");
}

}  // namespace
}  // namespace weir::supervisor
