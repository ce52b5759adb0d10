#include "supervisor/notifier.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <regex>

namespace weir::supervisor {
namespace {

/// Its socket, in the abstract namespace.
class Manager {
   public:
    Manager() : name_{"weir-notifier-test-" + std::to_string(::getpid())} {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path + 1, name_.data(), name_.size());
        const auto size =
            static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
        if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
            throw std::runtime_error{"bind"};
    }
    std::string address() const { return '@' + name_; }
    std::string next() const {
        std::array<char, 512> bytes;
        const auto size = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        return size < 0 ? "nothing" : std::string(bytes.data(), static_cast<std::size_t>(size));
    }

   private:
    std::string name_;
    net::UniqueFd socket_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST(Notifier, SaysWhatSystemdUnderstands) {
    const Manager manager;
    const Notifier notifier{manager.address()};
    notifier.ready("it serves");
    EXPECT_EQ(manager.next(), "READY=1\nSTATUS=it serves");
    notifier.reloading("reads");
    EXPECT_TRUE(std::regex_match(manager.next(),
                                 std::regex{"RELOADING=1\nMONOTONIC_USEC=[0-9]+\nSTATUS=reads"}));
    notifier.stopping("ends");
    EXPECT_EQ(manager.next(), "STOPPING=1\nSTATUS=ends");
    notifier.watchdog();
    EXPECT_EQ(manager.next(), "WATCHDOG=1");
    notifier.say("one line\nREADY=1");
    EXPECT_EQ(manager.next(), "STATUS=one line");
}

TEST(Notifier, IsSilentWithoutAnAddress) {
    const Manager manager;
    for (const std::string& address :
         {std::string{}, std::string{"@"}, std::string{"/"}, manager.address().substr(1),
          std::string{"vsock:2:1234"}, '/' + std::string(200, 'x')})
        Notifier{address}.ready("x");
    EXPECT_EQ(manager.next(), "nothing");
}

TEST(Notifier, DoesNotMindASocketThatIsNotThere) {
    const Notifier notifier{"@weir-nobody-listens-here"};
    notifier.ready("x");
}

}  // namespace
}  // namespace weir::supervisor
