// What the contract promises of a send that is under way, and of requests that are not any more.

#include <gtest/gtest.h>

#include "base/budget.h"
#include "connection_driver.h"

namespace weir::http {
namespace {

using namespace std::chrono_literals;

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// Counts its endings.
class Ending final : public Source {
   public:
    explicit Ending(int& endings) : endings_{endings} {}
    Pulled pull(std::span<char> into) override {
        std::ranges::fill(into, 's');
        return Ready{into.size()};
    }
    void done(Outcome) noexcept override { ++endings_; }

   private:
    int& endings_;
};

/// Keeps memory.
class Keeping final : public Source {
   public:
    explicit Keeping(const std::size_t& bytes) : bytes_{bytes} {}
    Pulled pull(std::span<char> into) override { return Ready{into.size()}; }
    std::size_t bytes() const noexcept override { return bytes_; }

   private:
    const std::size_t& bytes_;
};

/// A connection that named bytes or a file to be sent, of which nothing was sent yet.
struct UnderWay {
    explicit UnderWay(ConnectionDriver::Handle handle, const std::string& requests = get)
        : peer{std::move(handle)} {
        peer.send_max = 0;
        peer.receive(requests);  // ends with take_ownership()
        named = peer.connection->transmit();
        for (const auto part : named.parts) bytes += part;
    }
    /// Reads all of it, where it was: AddressSanitizer sees it if it is gone.
    void expect_untouched() const {
        std::string now;
        for (const auto part : named.parts) now += part;
        EXPECT_EQ(now, bytes);
    }

    ConnectionDriver peer;
    Transmission named;
    std::string bytes;
};

/// Whatever may be called while a send is under way, and how the connection goes on.
const std::pair<const char*, void (*)(ConnectionDriver&)> calls[] = {
    {"fail", [](ConnectionDriver& peer) { peer.connection->fail(Outcome::peer_gone, peer.now); }},
    {"expire",
     [](ConnectionDriver& peer) {
         peer.now.instant += 1h;
         peer.connection->expire(peer.now, 0);
     }},
    {"retire", [](ConnectionDriver& peer) { peer.connection->retire(peer.now); }},
    {"respond",
     [](ConnectionDriver& peer) {
         for (const RequestId id : {1, 2, 3}) {
             Response response;
             response.content(std::string(9000, 'n'));  // more than the buffer has room for
             peer.connection->respond(id, std::move(response), peer.now);
         }
     }},
    {"wake",
     [](ConnectionDriver& peer) {
         for (const RequestId id : {1, 2, 3}) peer.connection->wake(id, peer.now);
     }},
    {"take_ownership", [](ConnectionDriver& peer) { peer.connection->take_ownership(peer.now); }},
};

void expect_untouched_by_all_calls(const ConnectionDriver::Handle& handle,
                                   const std::string& requests = get) {
    for (const auto& [first_name, first] : calls)
        for (const auto& [second_name, second] : calls) {
            SCOPED_TRACE(std::string{first_name} + ", " + second_name);
            UnderWay send{handle, requests};
            ASSERT_EQ(send.peer.step(), Step::transmit);
            first(send.peer);
            second(send.peer);
            send.expect_untouched();
        }
}

TEST(SendUnderWay, KeepsRenderedAnswers) {
    expect_untouched_by_all_calls(hello);
    expect_untouched_by_all_calls(hello, get + get + get.substr(0, 9));
}

TEST(SendUnderWay, KeepsThemWhileTheNextHandlerWorks) {
    expect_untouched_by_all_calls(
        [](const Request& request) -> Reply {
            return request.id() == 1 ? hello(request) : Reply{Later{}};
        },
        get + get);
}

TEST(SendUnderWay, KeepsContentThatIsSentFromWhereItLies) {
    expect_untouched_by_all_calls([](const Request&) -> Reply {
        auto content = std::make_shared<const std::string>(100'000, 'c');
        Response response;
        response.content_view(*content).retain(content);
        return response;
    });
}

TEST(SendUnderWay, KeepsTheFileOpen) {
    for (const auto& [name, call] : calls) {
        SCOPED_TRACE(name);
        auto file = std::make_shared<const int>(7);
        const std::weak_ptr<const int> open{file};
        UnderWay send{[&](const Request&) -> Reply {
            Response response;
            response.content(FileRange{7, 0, 1000}).retain(std::exchange(file, nullptr));
            return response;
        }};
        EXPECT_EQ(send.named.file.size, 1000u);
        call(send.peer);
        EXPECT_FALSE(open.expired());
    }
}

TEST(SendUnderWay, ASourcePaysForItsMemory) {
    Budget budget{100'000};
    std::size_t bytes = 30'000;
    ConnectionDriver peer{[&](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<Keeping>(bytes));
        return response;
    }};
    peer.workspace.memory = &budget;
    peer.send_max = 0;
    peer.receive(get);
    EXPECT_GE(budget.used(), 30'000U);
    bytes = 100'000;
    peer.connection->take_ownership(peer.now);
    EXPECT_EQ(peer.step(), Step::close);
    ASSERT_EQ(peer.seen.size(), 1U);
    EXPECT_EQ(peer.seen.front().outcome, Outcome::out_of_memory);
}

TEST(SendUnderWay, ASourceIsToldOnceHowItEnded) {
    for (const auto& [first_name, first] : calls)
        for (const auto& [second_name, second] : calls) {
            SCOPED_TRACE(std::string{first_name} + ", " + second_name);
            int endings = 0;
            {
                UnderWay send{[&](const Request&) -> Reply {
                    Response response;
                    response.content(std::make_unique<Ending>(endings));
                    return response;
                }};
                first(send.peer);
                second(send.peer);
                send.expect_untouched();
            }
            EXPECT_EQ(endings, 1);
        }
}

TEST(SendUnderWay, TheTimeOfTheNextHandlerPassesWhileThePeerIsSlow) {
    Timeouts timeouts;
    timeouts.handler = 1s;
    ConnectionDriver peer{[](const Request& request) -> Reply {
                              return request.id() == 1 ? hello(request) : Reply{Later{}};
                          },
                          {},
                          timeouts};
    peer.send_max = 0;
    peer.receive(get + get);
    peer.pass(1s);
    EXPECT_EQ(peer.step(), Step::transmit);  // the peer has its own time
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(peer.sent, hello_answer);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(1s);
    EXPECT_TRUE(peer.sent.starts_with(hello_answer + "HTTP/1.1 503 ")) << peer.sent;
}

/// Answers the first at once although it promised an answer, and later ones later.
struct Hasty {
    ConnectionDriver peer{[this](const Request& request) -> Reply {
        promised.push_back(request.defer());
        return request.id() == 1 ? hello(request) : Reply{Later{}};
    }};
    std::vector<Deferred> promised;

    static Response answer_of(const char* text) {
        Response response;
        response.content(std::string{text});
        return response;
    }
};

TEST(RequestIds, AnAnswerTooManyIsNotTheNextRequests) {
    Hasty hasty;
    ConnectionDriver& peer = hasty.peer;
    peer.receive(get);
    EXPECT_EQ(peer.take_sent(), hello_answer);
    peer.receive(get);
    ASSERT_EQ(peer.step(), Step::receive);
    hasty.promised[0].respond(Hasty::answer_of("stale"));
    peer.deliver();
    EXPECT_EQ(peer.sent, "");
    EXPECT_EQ(peer.step(), Step::receive);
    hasty.promised[1].respond(Hasty::answer_of("its own"));
    peer.deliver();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\nits own")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(RequestIds, AreAwaitedWhileTheirHandlerHasThem) {
    Hasty hasty;
    Connection& connection = *hasty.peer.connection;
    EXPECT_FALSE(connection.awaits(1));
    hasty.peer.receive(get);
    EXPECT_FALSE(connection.awaits(1));
    hasty.peer.receive(get);
    EXPECT_FALSE(connection.awaits(1));
    EXPECT_TRUE(connection.awaits(2));
    hasty.peer.pass(hasty.peer.timeouts.handler);
    EXPECT_FALSE(connection.awaits(2));
    hasty.promised.clear();
}

TEST(RequestIds, AWakeUpForAnotherRequestWakesNobody) {
    class Waits final : public Source {
        Pulled pull(std::span<char>) override { return NotReady{}; }
    };
    ConnectionDriver peer{[](const Request& request) -> Reply {
        if (request.id() == 1) return hello(request);
        Response response;
        response.content(std::make_unique<Waits>());
        return response;
    }};
    peer.timeouts.pause = 1min;
    peer.receive(get + get);
    ASSERT_EQ(peer.step(), Step::receive);
    const Instant deadline = peer.connection->deadline();
    peer.now.instant += 1s;
    peer.connection->wake(1, peer.now);
    peer.connection->wake(3, peer.now);
    EXPECT_EQ(peer.connection->deadline(), deadline);
    peer.connection->wake(2, peer.now);
    EXPECT_EQ(peer.connection->deadline(), deadline + 1s);
}

#if !defined(NDEBUG)
TEST(ConnectionDeathTest, CallsAtTheWrongStepAreFaultsOfTheEngine) {
    ConnectionDriver peer{hello};
    EXPECT_DEATH(static_cast<void>(peer.connection->take_request()), "Step::handle");
    EXPECT_DEATH(static_cast<void>(peer.connection->transmit()), "sends");
    EXPECT_DEATH(peer.connection->receive("", peer.now), "empty");
    EXPECT_DEATH(peer.connection->transmitted(0, peer.now), "size");
    peer.connection->fail(Outcome::stopped, peer.now);
    EXPECT_DEATH(peer.connection->receive("x", peer.now), "reads");
    EXPECT_DEATH(peer.connection->receive_end(peer.now), "reads");
    EXPECT_DEATH(peer.connection->transmitted(1, peer.now), "Step::close");
    EXPECT_DEATH(peer.connection->turn_away(peer.now), "reads");
}
#endif

}  // namespace
}  // namespace weir::http
