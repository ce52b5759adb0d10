#include "supervisor/control_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "net/clock.h"
#include "support/time_limit.h"

namespace weir::supervisor {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class ControlSocketTest : public ::testing::Test {
   protected:
    ControlSocketTest() {
        std::string name = ::testing::TempDir() + "weir-XXXXXX";
        directory_ = ::mkdtemp(name.data());
        path = directory_ / "control";
        address = *net::Address::parse("unix:" + path.string(), 0);
    }
    ~ControlSocketTest() override { fs::remove_all(directory_); }

    net::UniqueFd connect() const {
        net::UniqueFd client{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        EXPECT_EQ(::connect(client.get(), address->data(), address->size()), 0);
        return client;
    }
    static std::string answer_to(const net::UniqueFd& client) {
        std::string text(200, '\0');
        const auto size = ::recv(client.get(), text.data(), text.size(), MSG_DONTWAIT);
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return text;
    }

    fs::path path;
    std::optional<net::Address> address;

   private:
    fs::path directory_;
};

const auto answers_all = [](Request request, ControlSocket::Client client) {
    client.answer({.is_ok = true, .text = std::string{name_of(request)}});
};
const auto expects_none = [](Request, ControlSocket::Client) { ADD_FAILURE(); };

TEST_F(ControlSocketTest, AnswersRequests) {
    auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    std::expected<Answer, std::string> answer;
    std::thread client{[&] { answer = ask(*address, Request::reload, tests::time_limit); }};
    bool is_answered = false;
    while (!is_answered) {
        std::vector<pollfd> watched;
        control->watch(watched);
        ::poll(watched.data(), watched.size(), 1'000);
        control->take(net::read_clock().instant, [&](Request request, ControlSocket::Client from) {
            EXPECT_EQ(request, Request::reload);
            from.answer({.is_ok = true, .text = "done"});
            is_answered = true;
        });
    }
    client.join();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->text, "done");
}

TEST_F(ControlSocketTest, IsForItsUserAlone) {
    const auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    struct stat status{};
    ASSERT_EQ(::lstat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(ControlSocketTest, BelongsToOneServer) {
    const auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    EXPECT_FALSE(ControlSocket::open(*address).has_value());
}

TEST_F(ControlSocketTest, RemovesItsFile) {
    auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    control->close();
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(ControlSocketTest, RefusesWhatIsNoRequest) {
    auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    for (const std::string& text :
         {std::string{"what\n"}, std::string(65, 'x'), std::string{"\0\n", 2}}) {
        const auto client = connect();
        ASSERT_GT(::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL), 0);
        for (int i = 0; i < 2; ++i) control->take(net::read_clock().instant, expects_none);
        EXPECT_EQ(answer_to(client), "error unknown request\n");
    }
}

TEST_F(ControlSocketTest, DoesNotWaitForSilentClients) {
    auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    const auto silent = connect();
    const auto now = net::read_clock().instant;
    control->take(now, expects_none);
    ASSERT_NE(control->next(), never);
    const auto speaks = connect();
    ASSERT_GT(::send(speaks.get(), "status\n", 7, MSG_NOSIGNAL), 0);
    control->take(now, answers_all);
    EXPECT_EQ(answer_to(speaks), "ok status\n");
    control->take(control->next(), expects_none);
    EXPECT_EQ(answer_to(silent), "error unknown request\n");
    EXPECT_EQ(control->next(), never);
}

TEST_F(ControlSocketTest, TakesAFewClientsAtATime) {
    auto control = ControlSocket::open(*address);
    ASSERT_TRUE(control.has_value());
    std::vector<net::UniqueFd> clients;
    for (int i = 0; i < 40; ++i) clients.push_back(connect());
    control->take(net::read_clock().instant, expects_none);
    std::vector<pollfd> watched;
    control->watch(watched);
    EXPECT_EQ(watched.size(), 16u);  // and not the listener
}

TEST_F(ControlSocketTest, SaysThatNobodyIsThere) {
    const auto answer = ask(*address, Request::status, milliseconds{1'000});
    ASSERT_FALSE(answer.has_value());
    EXPECT_TRUE(answer.error().contains("no server answers"));
}

}  // namespace
}  // namespace weir::supervisor
