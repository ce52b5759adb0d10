// The table of a stream's phases: what it must hold for any rows, and that these are taken.

#include "http/http2/http2_states.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "http2_driver.h"
#include "unit/http/echo_tunnel.h"
#include "unit/http/pausing.h"

namespace weir::http::exchange::http2 {
namespace {

TEST(Http2States, EveryPhaseIsReachedAndLeadsToTheEnd) {
    std::set<Phase> reached{Phase::idle};
    for (std::size_t i = 0; i < rows.size(); ++i)  // each round reaches one more, or none
        for (const Row& row : rows)
            if (reached.contains(row.from)) reached.insert(row.move.to);
    for (const Row& row : rows) EXPECT_TRUE(reached.contains(row.from));
    for (const Phase phase : reached)
        EXPECT_EQ(table.has(phase, Event::closes), phase != Phase::closed);
}

#if !defined(NDEBUG)

Reply large(const Request&) {
    static const std::string bytes(100'000, 'x');  // more than a window
    Response response;
    response.content_view(bytes);
    return response;
}
Reply later(const Request&) { return Later{}; }
Reply early(const Request&) { return text("no"); }

constexpr std::uint8_t ends = h2::flag::end_stream;

/// A stream that was brought into a phase.
struct Brought {
    std::string to;
    std::function<Reply(const Request&)> handle;
    std::string received;
    std::size_t send_max = ~std::size_t{0};
};

const Brought brought[] = {
    {"sending and rendered", hello, h2::get(1, "/")},
    {"idle: a refusal", hello, h2::get(1, "/" + std::string(10'000, 'x'))},
    {"idle: a fault", hello, h2::get(1, "/", {{"connection", "close"}})},
    {"handling", later, h2::get(1, "/")},
    {"content", read_content, h2::post(1, "/") + h2::data(1, "ab")},
    {"paused", sink_content, h2::post(1, "/") + h2::data(1, "ab")},
    {"paused, and whole", sink_content, h2::post(1, "/") + h2::data(1, "ab", ends)},
    {"sending", large, h2::get(1, "/")},
    {"stalled", stream, h2::get(1, "/")},
    {"rendered", hello, h2::get(1, "/"), 0},
    {"draining", early, h2::post(1, "/")},
};

void let_everything_happen(const Brought& start) {
    SCOPED_TRACE(start.to);
    const auto with = [&](const auto& what_happens) {
        Http2Driver peer{start.handle};
        peer.timeouts.pause = std::chrono::minutes{1};
        peer.receive(h2::hello());
        peer.send_max = start.send_max;
        peer.receive(start.received);
        what_happens(peer);
        peer.send_max = ~std::size_t{0};
        peer.drive();
    };
    with([](Http2Driver& peer) { peer.receive(h2::reset(1)); });
    with([](Http2Driver& peer) { peer.receive(h2::data(1, "cd", ends)); });
    with([](Http2Driver& peer) { peer.receive(h2::window(0, 100'000) + h2::window(1, 100'000)); });
    with([](Http2Driver& peer) { peer.connection->fail(Outcome::peer_gone, peer.now); });
    with([](Http2Driver& peer) { peer.pass(1h); });
    with([](Http2Driver& peer) {
        for (int i = 0; i < 3; ++i) peer.wake();
        peer.receive(h2::data(1, "cd", ends));
    });
}

/// Between a request and its handler.
void let_a_request_wait() {
    for (const bool is_late : {false, true}) {
        Http2Driver peer{hello};
        peer.receive(h2::hello());
        const std::string request = h2::get(1, "/");
        peer.connection->receive(request, peer.now);
        peer.now.instant += is_late ? 1h : 0h;
        if (is_late)
            peer.connection->expire(peer.now, 0);
        else
            peer.connection->fail(Outcome::peer_gone, peer.now);
        peer.drive();
    }
}

void let_tunnels_happen() {
    const auto connect = h2::headers(1,
                                     {{":method", "CONNECT"},
                                      {":protocol", "echo"},
                                      {":scheme", "https"},
                                      {":path", "/"},
                                      {":authority", "a"}},
                                     h2::flag::end_headers);
    for (const std::string said : {"a", "a."}) {
        EchoTunnel::Notes notes;
        Http2Driver peer{echo_tunnel(notes)};
        peer.receive(h2::hello() + connect);
        peer.receive(h2::data(1, said));
    }
}

TEST(Http2States, EveryRowIsTaken) {
    std::array<bool, rows.size()> taken{};
    decltype(table)::taken = &taken;
    for (const Brought& start : brought) let_everything_happen(start);
    let_a_request_wait();
    let_tunnels_happen();
    decltype(table)::taken = nullptr;
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_TRUE(taken[i]) << "phase " << static_cast<int>(rows[i].from) << ", event "
                              << static_cast<int>(rows[i].on);
}

#endif

}  // namespace
}  // namespace weir::http::exchange::http2
