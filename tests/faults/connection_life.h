#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faults/failing_new.h"
#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"

namespace weir::http {

using tests::FailingNew;

inline const std::string large_content(100'000, 'l');

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
    bool is_http2 = false;
};

inline std::unique_ptr<Connection> connect(const Script& script, Workspace& workspace,
                                           Origin& origin, Now now) {
    if (script.is_http2) return std::make_unique<Http2Connection>(workspace, origin, now);
    return std::make_unique<Http1Connection>(workspace, origin, now);
}

inline std::string get(std::string_view target) {
    return "GET " + std::string{target} + " HTTP/1.1\r\nHost: weir.test\r\n\r\n";
}

inline const std::vector<Script>& scripts() {
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

/// Counts the requests under way.
struct ActiveRequests final : Observer {
    void answered(const Answered& answered) noexcept override {
        if (answered.request) --count;
    }
    bool counts_active() const noexcept override { return true; }
    void begun(std::uint32_t requests) noexcept override { count += requests; }
    void dropped() noexcept override { --count; }

    std::int64_t count = 0;
};

/// A connection from its beginning to its end, in which nothing but the connection can fail.
class Life final : public Origin, public Observer {
   public:
    Life(Workspace& workspace, const Script& script, Told& told)
        : script_{script}, told_{told}, connection_{connect(script, workspace, *this, now_)} {
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
            received_.assign(received_.size(), '!');  // it was borrowed until take_ownership()
            answer_later();
        }
        if (reads(step()) && !stays) call([this](Connection& of) { of.receive_end(now_); });
    }

    bool stays = false;          // it sends no more, and does not end
    bool settles_first = false;  // before it sends, as an engine whose sends complete later
    bool settles = true;         // in the middle, too
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
            if (settles_first) call([this](Connection& of) { of.take_ownership(now_); });
            if (step() == Step::handle)
                handle();
            else if (sends(step()))
                send();
            else if (!FailingNew::strike([this] { return connection_->take_ownership(now_); }))
                return;
            if (settles && ++turns_ % 3 == 0)
                call([this](Connection& of) { of.take_ownership(now_); });
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
        if (path == "/large") response.content_view(large_content);
        if (path == "/own") response.content(large_content);
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

}  // namespace weir::http
