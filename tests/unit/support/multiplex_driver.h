#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/multiplex_connection.h"
#include "support/multiplex_peer.h"
#include "support/pattern.h"

namespace weir::tests::multiplex {

/// A connection in memory under virtual time. Plays an engine that is hard on it: settles after every
/// call, gives it bytes in memory that changes right after, and leaves a send under way while it does
/// other things.
class Driver final : public http::Origin, public http::Observer, public http::Postbox {
   public:
    using Handle = std::function<http::Reply(const http::Request&)>;

    explicit Driver(Handle handle, Bounds bounds = {}, http::Timeouts times = {})
        : timeouts{times}, bounds_{bounds}, handle_{std::move(handle)} {}

    http::Limits limits;
    http::Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    http::Workspace workspace{limits, timeouts, this};

   private:
    const Bounds bounds_;
    Handle handle_;
    std::string in_flight_;  // what transmit() named, as it was then
    http::Transmission named_;
    std::size_t input_piece_ = ~std::size_t{0};

   public:
    Peer peer;
    bool takes_output = true;                // the peer reads
    std::uint64_t queued = 0;                // of what was sent, what the peer has not taken
    bool grants = true;                      // and grants what it read
    bool handles = true;                     // false: `handle` is left for later
    bool others_use_the_workspace = true;    // after each settle()
    std::size_t send_max = ~std::size_t{0};  // bytes a transmission takes
    std::vector<http::RequestId> handled;
    std::vector<std::pair<std::string, http::Outcome>> answered_targets;

    http::Step step() const { return connection->step(); }
    /// From now on, the peer's bytes come so many at a time.
    void cut_input(std::size_t bytes) { input_piece_ = bytes; }

    std::uint32_t request(std::string_view target) {
        receive(peer.request(target));
        return peer.last_stream();
    }
    std::uint32_t upload(std::string_view target) {
        receive(peer.request(target, FrameType::upload));
        return peer.last_stream();
    }
    const Received& stream(std::uint32_t number) { return peer.stream(number); }

    /// Whatever of it the connection takes, now or as soon as it reads again.
    void receive(std::string_view bytes) {
        sent_by_peer_ += bytes;
        drive();
    }
    bool all_received() const { return sent_by_peer_.empty(); }
    void receive_end() {
        connection->receive_end(now);
        drive();
    }
    void respond(http::RequestId id, http::Reply&& reply) {
        connection->respond(id, std::move(reply), now);
        drive();
    }
    void pass(std::chrono::milliseconds time) {
        now.instant += time;
        if (connection->deadline() <= now.instant) connection->expire(now, queued);
        drive();
    }

    void drive() {
        for (;;) {
            settle();
            if (step() == http::Step::handle && handles)
                handle_one();
            else if (reads(step()) && !sent_by_peer_.empty())
                give_input();
            else if (sends(step()) && takes_output)
                send();
            else
                break;
        }
        if (sends(step()) && in_flight_.empty()) begin_send();
        expect_in_flight_unchanged();
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override {
        return {std::shared_ptr<void>{}, static_cast<http::Postbox*>(this)};
    }
    std::uint64_t number() const noexcept override { return 1; }
    void answer(http::Ticket ticket, http::Response&& response) override {
        connection->respond(ticket.request, std::move(response), now);
    }
    void wake(http::Ticket ticket) override {
        connection->wake(ticket.request, now);
        drive();
    }
    void answered(const http::Answered& a) noexcept override {
        answered_targets.emplace_back(std::string{a.request->target()}, a.outcome);
    }

   private:
    void settle() {
        connection->settle(now);
        if (!others_use_the_workspace) return;
        workspace.output.append("what another connection renders");
        workspace.output.clear();
        workspace.request.reset();
    }

    void handle_one() {
        const http::Request& request = connection->take_request();
        const auto id = request.id();
        handled.push_back(id);
        connection->respond(id, handle_(request), now);
    }

    void give_input() {
        std::string piece = sent_by_peer_.substr(0, input_piece_);
        sent_by_peer_.erase(0, piece.size());
        connection->receive(piece, now);
        // Borrowed until the connection reads again, or settles.
        if (!reads(step())) settle();
        piece.assign(piece.size(), '!');
    }

    std::string bytes_of(const http::Transmission& what) {
        std::string bytes;
        for (const auto part : what.parts) bytes += part;
        std::string file(what.file.size, '\0');
        EXPECT_EQ(
            ::pread(what.file.fd, file.data(), file.size(), static_cast<off_t>(what.file.offset)),
            what.file.size == 0 ? -1 : static_cast<ssize_t>(file.size()));
        return bytes + file;
    }
    void begin_send() {
        named_ = connection->transmit();
        in_flight_ = bytes_of(named_);
        ASSERT_FALSE(in_flight_.empty());
    }
    void expect_in_flight_unchanged() {
        if (in_flight_.empty()) return;
        EXPECT_EQ(bytes_of(named_), in_flight_);
    }
    void send() {
        if (in_flight_.empty()) begin_send();
        const auto again = connection->transmit();
        EXPECT_EQ(again.parts, named_.parts);
        expect_in_flight_unchanged();
        const auto size = std::min(send_max, in_flight_.size());
        sent_by_connection_ += std::exchange(in_flight_, {}).substr(0, size);
        connection->transmitted(size, now);
        read_output();
    }
    void read_output() {
        for (auto read = read_frame(sent_by_connection_); read.size != 0;
             read = read_frame(sent_by_connection_)) {
            peer.take(read.frame);
            sent_by_connection_.erase(0, read.size);
        }
        if (grants) sent_by_peer_ += peer.take_grants();
    }

    std::string sent_by_peer_;        // and not received yet
    std::string sent_by_connection_;  // no whole frame

   public:
    std::unique_ptr<Connection> connection =  // last: it tells the rest of its end
        std::make_unique<Connection>(workspace, *this, now, bounds_);
};

/// In the order in which they were made, which `+` does not promise.
inline std::string all(std::initializer_list<std::string> frames) {
    std::string bytes;
    for (const std::string& each : frames) bytes += each;
    return bytes;
}

inline http::Response text(std::string content) {
    http::Response response;
    response.content(std::move(content));
    return response;
}

/// Each request's reply is given by the test, later.
inline http::Reply later(const http::Request&) { return http::Later{}; }
inline http::Reply hello(const http::Request&) { return text("hello"); }

}  // namespace weir::tests::multiplex
