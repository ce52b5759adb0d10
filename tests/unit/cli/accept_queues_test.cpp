#include "cli/beside/accept_queues.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace weir::cli {
namespace {

std::uint64_t length_of(const std::vector<std::string>& addresses, const std::string& lines) {
    AcceptQueues queues;
    queues.watch(addresses);
    std::istringstream table{"  sl  local_address rem_address   st tx_queue rx_queue ...\n" +
                             lines};
    return queues.length_in(table);
}

std::string line(const std::string& local, const std::string& state, const std::string& queues) {
    return "   0: " + local + " 00000000:0000 " + state + ' ' + queues + " 00:00000000 00000000\n";
}

TEST(AcceptQueues, AreThoseOfAllListenersOfTheAddress) {
    const auto lines = line("0100007F:1F40", "0A", "00000000:00000011") +
                       line("0100007F:1F40", "0A", "00000000:00000002") +
                       line("0200007F:1F40", "0A", "00000000:00000004") +
                       line("0100007F:1F41", "0A", "00000000:00000008");
    EXPECT_EQ(length_of({"127.0.0.1:8000"}, lines), 0x13u);
    EXPECT_EQ(length_of({"127.0.0.1:8000", "127.0.0.1:8001"}, lines), 0x1bu);
    EXPECT_EQ(length_of({"127.0.0.1:80"}, lines), 0u);
}

TEST(AcceptQueues, AreThoseOfIPv6Too) {
    const auto lines = line("00000000000000000000000001000000:0050", "0A", "00000000:00000003");
    EXPECT_EQ(length_of({"[::1]:80"}, lines), 3u);
}

TEST(AcceptQueues, EndAtTheFirstConnection) {
    const auto lines = line("0100007F:1F40", "01", "00000000:00000001") +
                       line("0100007F:1F40", "0A", "00000000:00000002");
    EXPECT_EQ(length_of({"127.0.0.1:8000"}, lines), 0u);
}

TEST(AcceptQueues, OfAMalformedTableAreEmpty) {
    EXPECT_EQ(length_of({"127.0.0.1:8000"}, "\n\n"), 0u);
    EXPECT_EQ(length_of({"127.0.0.1:8000"}, line("0100007F:1F40", "0A", "12")), 0u);
}

TEST(AcceptQueues, OfAUnixSocketHasNoLength) {
    AcceptQueues queues;
    queues.watch(std::vector<std::string>{"unix:/run/weir"});
    EXPECT_FALSE(queues.length());
}

}  // namespace
}  // namespace weir::cli
