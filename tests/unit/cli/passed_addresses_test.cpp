#include "cli/service/passed_addresses.h"

#include <gtest/gtest.h>

#include <utility>

#include "net/listener.h"

namespace weir::cli {
namespace {

using Lines = std::vector<std::string>;
using supervisor::PassedSockets;

net::Listener listener() {
    return std::move(*net::Listener::open(*net::Address::parse("127.0.0.1", 0)));
}

class PassedAddresses : public testing::Test {
   protected:
    const net::Listener first = listener();
    const net::Listener second = listener();
    const std::string first_text = first.address().text();
    const std::string second_text = second.address().text();
    PassedSockets passed{
        .sockets = {{.fd = first.fd(), .name = "web"}, {.fd = second.fd(), .name = "tls"}}};

    std::string fault(const char* text) const {
        const auto addresses = with_passed_addresses({text}, passed);
        return addresses ? "none" : addresses.error();
    }
};

TEST(PassedForm, IsANameOrANumber) {
    for (const char* const text : {"fd:web", "fd:3", "fd:weir@site.socket"})
        EXPECT_TRUE(is_passed_form(text)) << text;
    for (const char* const text : {"fd:", "fd", "fd:1::2", "fd00::1", "fd:a b", "fd:/a", "web", ""})
        EXPECT_FALSE(is_passed_form(text)) << text;
}

TEST_F(PassedAddresses, ReplaceNamesAndNumbers) {
    const std::string number = "fd:" + std::to_string(second.fd());
    EXPECT_EQ(with_passed_addresses({"fd:web", "::1", number}, passed),
              (Lines{first_text, "::1", second_text}));
    EXPECT_EQ(all_passed_addresses(passed), (Lines{first_text, second_text}));
}

TEST_F(PassedAddresses, OfOneNameAreAllTaken) {
    passed.sockets[1].name = "web";
    passed.sockets.push_back({.fd = first.fd(), .name = "web"});  // the same address again
    EXPECT_EQ(with_passed_addresses({"fd:web"}, passed), (Lines{first_text, second_text}));
}

TEST_F(PassedAddresses, SayWhatIsMissing) {
    const std::string sockets =
        "web (" + std::to_string(first.fd()) + "), tls (" + std::to_string(second.fd()) + ")";
    EXPECT_EQ(fault("fd:wev"), "no socket 'wev' was passed; the sockets are " + sockets);
    EXPECT_EQ(fault("fd:999"), "no socket '999' was passed; the sockets are " + sockets);
    passed = {.sockets = {}, .why_none = "LISTEN_FDS is not set"};
    EXPECT_EQ(fault("fd:web"), "no socket 'web' was passed; LISTEN_FDS is not set");
}

TEST_F(PassedAddresses, SayWhatIsWrongWithASocket) {
    passed.sockets[0].fault = "is no socket";
    const std::string wrong = "descriptor " + std::to_string(first.fd()) + " (web) is no socket";
    EXPECT_EQ(fault("fd:web"), "fd:web: " + wrong);
    EXPECT_EQ(all_passed_addresses(passed).error(), wrong);
    EXPECT_EQ(fault("fd:tls"), "none");
}

}  // namespace
}  // namespace weir::cli
