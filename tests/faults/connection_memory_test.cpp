// Each allocation in the life of a connection that fails: the connection ends, with a 503 or without
// an answer, and nothing else does. And what a budget for all connections does to them.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/troubles.h"
#include "faults/failing_new.h"
#include "http/http1/http1_connection.h"

namespace weir::http {
namespace {

using tests::FailingNew;

constexpr std::string_view excuse =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

const std::string large(100'000, 'l');

/// What sources and sinks were told, which is to be once each.
struct Told {
    int made = 0;
    int told = 0;
};

class Pieces final : public Source {
   public:
    explicit Pieces(Told& told) : told_{told} { ++told_.made; }
    Pulled pull(std::span<char> into) override {
        if (left_-- == 0) return End{};
        into[0] = 'p';
        return Ready{1};
    }
    void done(Outcome) noexcept override { ++told_.told; }

   private:
    Told& told_;
    int left_ = 3;
};

class Drain final : public Sink {
   public:
    explicit Drain(Told& told) : told_{told} { ++told_.made; }
    ~Drain() override {
        if (!was_cut_ && bytes_ == 4) ++told_.told;  // the content came to its end
    }
    Taken take(std::string_view bytes) override {
        bytes_ += bytes.size();
        return Taken::more;
    }
    void cut() noexcept override {
        ++told_.told;
        was_cut_ = true;
    }

   private:
    Told& told_;
    std::size_t bytes_ = 0;
    bool was_cut_ = false;
};

/// What a peer sends, in pieces, and how much of an answer it takes at a time.
struct Script {
    std::string_view name;
    std::vector<std::string> pieces;
    std::size_t send_max = 1'000'000;
};

std::string get(std::string_view target) {
    return "GET " + std::string{target} + " HTTP/1.1\r\nHost: weir.test\r\n\r\n";
}

const std::vector<Script>& scripts() {
    static const std::vector<Script> all{
        {"small", {get("/small"), get("/small")}},
        {"split", {"GET /small HTT", "P/1.1\r\nHost: weir.test\r\nX-A: b\r\n", "\r\n"}},
        {"long head",
         {"GET /small HTTP/1.1\r\nHost: weir.test\r\nX-A: " + std::string(5'000, 'a'),
          std::string(2'000, 'b') + "\r\n", "\r\n"}},
        {"content",
         {"POST /collect HTTP/1.1\r\nHost: weir.test\r\nContent-Length: 5000\r\n\r\n",
          std::string(2'000, 'c'), std::string(3'000, 'd') + get("/small")}},
        {"chunked",
         {"POST /collect HTTP/1.1\r\nHost: weir.test\r\nTransfer-Encoding: chunked\r\n\r\n",
          "3\r\nabc\r\n", "2\r\nde\r\n0\r\nX-T: trailer of some length\r\n\r\n"}},
        {"streamed in",
         {"POST /sink HTTP/1.1\r\nHost: weir.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n"
          "\r\n",
          "ab", "cd"}},
        {"streamed in, cut",
         {"POST /sink HTTP/1.1\r\nHost: weir.test\r\nTransfer-Encoding: chunked\r\n\r\n", "x\r\n"}},
        {"streamed out", {get("/source"), get("/small")}},
        {"large", {get("/large")}, 7'000},
        {"own", {get("/own") + get("/small")}, 7'000},
        {"pipelined", {get("/small") + get("/small") + "GET /sm", "all HTTP/1.0\r\n\r\n"}, 50},
        {"later", {get("/later") + get("/small"), get("/source")}, 50},
        {"refused", {"GET  / HTTP/1.1\r\n\r\n"}},
        {"head of a source", {"HEAD /source HTTP/1.1\r\nHost: weir.test\r\n\r\n", get("/small")}},
        {"early answer",
         {"POST /small HTTP/1.1\r\nHost: weir.test\r\nContent-Length: 50\r\n\r\nsome", "more"}},
    };
    return all;
}

/// A connection from its beginning to its end, in which nothing but the connection can fail.
class Life final : public Origin, public Observer {
   public:
    Life(Workspace& workspace, const Script& script, Told& told)
        : script_{script},
          told_{told},
          connection_{std::make_unique<Http1Connection>(workspace, *this, now_)} {
        received_.reserve(100'000);
        sent.reserve(300'000);
    }
    ~Life() {
        FailingNew::strike([this] { connection_.reset(); });
    }

    void run() {
        for (const std::string& piece : script_.pieces) {
            if (!reads(step())) break;
            received_ = piece;
            call([this](Connection& of) { of.receive(received_, now_); });
            drive();
            received_.assign(received_.size(), '!');  // it was borrowed until settle()
            answer_later();
        }
        if (reads(step()) && !stays) call([this](Connection& of) { of.receive_end(now_); });
    }

    bool stays = false;  // it sends no more, and does not end
    Step step() const { return connection_->step(); }
    std::string sent;

    void append_address(std::string&) const override {}
    std::shared_ptr<Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 1; }
    void answered(const Answered& answered) noexcept override {
        if (answered.request) targets_ += answered.request->target().size();
    }

   private:
    template <typename Call>
    void call(Call of) {
        FailingNew::strike([&] { of(*connection_); });
    }

    void drive() {
        for (;;) {
            if (step() == Step::handle)
                handle();
            else if (step() == Step::transmit)
                send();
            else if (!FailingNew::strike([this] { return connection_->settle(now_); }))
                return;
            if (++turns_ % 3 == 0) call([this](Connection& of) { of.settle(now_); });
        }
    }

    void handle() {
        const Request& request = connection_->take_request();
        Reply reply = reply_to(request);
        call([&](Connection& of) { of.respond(request.id(), std::move(reply), now_); });
    }

    Reply reply_to(const Request& request) {
        Response response;
        const std::string_view path = request.path();
        if (path == "/later") {
            later_ = request.id();
            return Later{};
        }
        if (path == "/collect" && request.content_pending()) return ReadContent{};
        if (path == "/sink" && request.content_pending())
            return StreamContent{std::make_unique<Drain>(told_)};
        if (path == "/source") response.content(std::make_unique<Pieces>(told_));
        if (path == "/large") response.content_view(large);
        if (path == "/own") response.content(large);
        if (path == "/collect") response.content(std::string{request.content()});
        if (path == "/small") response.content_view("small");
        return response;
    }

    void answer_later() {
        if (const RequestId id = std::exchange(later_, 0); id != 0) {
            Response response;
            response.content_view("later");
            Reply reply{std::move(response)};
            call([&](Connection& of) { of.respond(id, std::move(reply), now_); });
            drive();
        }
    }

    void send() {
        const Transmission what = connection_->transmit();
        std::size_t left = script_.send_max;
        std::size_t size = 0;
        for (const std::string_view part : what.parts) {
            const std::string_view taken = part.substr(0, left);
            sent += taken;
            left -= taken.size();
            size += taken.size();
        }
        call([&](Connection& of) { of.transmitted(size, now_); });
    }

    const Script& script_;
    Told& told_;
    Now now_{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::unique_ptr<Connection> connection_;
    std::string received_;
    RequestId later_ = 0;
    std::size_t targets_ = 0;
    int turns_ = 0;
};

struct ConnectionMemory : ::testing::Test {
    ConnectionMemory() { FailingNew::spare_this_thread(); }
    ~ConnectionMemory() override { FailingNew::clear(); }

    Limits limits;
    Timeouts timeouts;
};

/// Whole, or the beginning of what it would have been, and the excuse behind whole answers.
void expect_no_wrong_byte(std::string_view sent, std::string_view whole) {
    if (sent.ends_with(excuse)) sent.remove_suffix(excuse.size());
    EXPECT_TRUE(whole.starts_with(sent)) << "was sent:\n" << sent;
}

TEST_F(ConnectionMemory, AllocationThatFailsEndsNothingButTheConnection) {
    int excused = 0;
    for (const Script& script : scripts()) {
        Told undisturbed;
        Workspace other{limits, timeouts};
        Life model{other, script, undisturbed};
        model.run();
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE(std::string{script.name} + ", allocation " + std::to_string(nth));
            Told told;
            Workspace workspace{limits, timeouts};
            std::string sent;
            {
                Life life{workspace, script, told};
                FailingNew::fail(nth);
                life.run();
                FailingNew::clear();
                sent = life.sent;
                if (FailingNew::failed() != 0) EXPECT_EQ(life.step(), Step::close);
            }
            expect_no_wrong_byte(sent, model.sent);
            EXPECT_EQ(told.told, told.made);
            if (sent.ends_with(excuse)) ++excused;
            // The next connection of the thread gets its answer, and nothing of this one's.
            Life next{workspace, scripts().front(), told};
            next.run();
            EXPECT_EQ(next.sent.find("HTTP/1.1 200 OK"), 0u);
            EXPECT_TRUE(next.sent.ends_with("\r\n\r\nsmall"));
            if (FailingNew::failed() == 0) {
                EXPECT_EQ(sent, model.sent);
                break;
            }
        }
    }
    EXPECT_GT(excused, 20);
}

TEST_F(ConnectionMemory, WhileThereIsNoneEachConnectionEnds) {
    for (const Script& script : scripts()) {
        for (const int nth : {1, 2, 3, 5, 8}) {
            SCOPED_TRACE(std::string{script.name} + ", from allocation " + std::to_string(nth));
            Told told;
            Workspace workspace{limits, timeouts};
            {
                Life life{workspace, script, told};
                FailingNew::fail(nth, 1'000'000);
                life.run();
                if (FailingNew::failed() != 0) EXPECT_EQ(life.step(), Step::close);
            }
            FailingNew::clear();
            EXPECT_EQ(told.told, told.made);
        }
    }
}

TEST_F(ConnectionMemory, IsNotedForTheOperator) {
    const auto before = troubles().count(Trouble::memory);
    Told told;
    Workspace workspace{limits, timeouts};
    Life life{workspace, scripts()[1], told};
    FailingNew::fail(1);
    life.run();
    EXPECT_EQ(life.sent, excuse);
    EXPECT_EQ(troubles().count(Trouble::memory), before + 1);
}

TEST_F(ConnectionMemory, OfAllConnectionsIsBounded) {
    Budget budget{40'000};
    Told told;
    Workspace workspace{limits, timeouts};
    workspace.memory = &budget;
    const Script unfinished{"unfinished",
                            {get("/small") + "GET / HTTP/1.1\r\nX-A: " + std::string(7'000, 'a')}};
    std::vector<std::unique_ptr<Life>> lives;
    for (int i = 0; i < 8; ++i) {
        lives.push_back(std::make_unique<Life>(workspace, unfinished, told));
        lives.back()->stays = true;
        lives.back()->run();
        EXPECT_LE(budget.used(), budget.limit());
    }
    // The first ones have their heads kept; the last ones are told to come again.
    EXPECT_EQ(lives.front()->step(), Step::receive);
    EXPECT_TRUE(lives.back()->sent.ends_with(excuse));
    EXPECT_GT(budget.used(), 4 * 7'000u);
    // One that needs no memory is served all the same.
    Life small{workspace, scripts().front(), told};
    small.run();
    EXPECT_TRUE(small.sent.ends_with("\r\n\r\nsmall"));
    lives.clear();
    EXPECT_EQ(budget.used(), 0u);
}

TEST_F(ConnectionMemory, OfContentAndAnswersCounts) {
    Told told;
    for (const Script& script : scripts()) {
        SCOPED_TRACE(script.name);
        Budget budget{2'000};
        Workspace workspace{limits, timeouts};
        workspace.memory = &budget;
        {
            Life life{workspace, script, told};
            life.run();
            EXPECT_LE(budget.used(), budget.limit());
            const bool needs_more = script.name == "content" || script.name == "long head";
            if (needs_more) EXPECT_TRUE(life.sent.ends_with(excuse));
            if (script.name == "small") EXPECT_EQ(budget.used(), 0u);
        }
        EXPECT_EQ(budget.used(), 0u);
    }
}

}  // namespace
}  // namespace weir::http
