// The table of an HTTP/1 connection's phases: what it must hold for any rows, and that these are taken.

#include "http/http1/http1_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "connection_driver.h"
#include "echo_tunnel.h"
#include "pausing.h"

namespace weir::http::exchange::http1 {
namespace {

using namespace std::chrono_literals;

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

TEST(Http1States, EveryPhaseIsReachedAndLeadsToTheEnd) {
    std::set<Phase> reached{Phase::idle};
    for (std::size_t i = 0; i < rows.size(); ++i)  // each round reaches one more, or none
        for (const Row& row : rows)
            if (reached.contains(row.from)) reached.insert(row.move.to);
    reached.insert(Phase::rendered);  // of a stream of HTTP/2 alone
    EXPECT_EQ(reached.size(), static_cast<std::size_t>(Phase::count));
    reached.erase(Phase::rendered);
    for (const Phase phase : reached)
        EXPECT_EQ(table.has(phase, Event::closes), phase != Phase::closed);
}

TEST(Http1States, AStepThatWaitsForSomebodyHasATimer) {
    for (const Row& row : rows) {
        if (row.move.to == Phase::closed || !row.move.timer.is_set) continue;
        EXPECT_NE(row.move.timer.value, Timer::none);
    }
}

#if !defined(NDEBUG)

Reply later(const Request&) { return Later{}; }

using Handle = Reply (*)(const Request&);

/// A connection that was brought into a phase.
struct Brought {
    Phase phase;
    Handle handle;
    std::string received;
    bool peer_takes = true;
};

const Brought brought[] = {
    {Phase::idle, hello, get},
    {Phase::idle, hello, get, false},
    {Phase::head, hello, "GET / HT"},
    {Phase::head, hello, get + "GET / HT", false},
    {Phase::handling, later, get},
    {Phase::content, read_content, post + "ab"},
    {Phase::content, read_content, get + post, false},
    {Phase::paused, sink_content, post + "ab"},
    {Phase::paused, sink_content, post + "abcd"},
    {Phase::paused, sink_content, get + post + "ab", false},
    {Phase::stalled, stream, get},
    {Phase::stalled, stream, get, false},
    {Phase::closing, hello, "nonsense\r\n\r\n", false},
    {Phase::draining, hello, "nonsense\r\n\r\n"},
};

void let_everything_happen(const Brought& start) {
    const auto bring = [&] {
        auto peer = std::make_unique<ConnectionDriver>(start.handle);
        peer->timeouts.pause = 1min;
        peer->send_max = start.peer_takes ? ~std::size_t{0} : 0;
        peer->receive(start.received);
        return peer;
    };
    const auto go_on = [](ConnectionDriver& peer) {
        peer.send_max = 3;
        peer.drive();
        peer.connection->wake(peer.handled == 0 ? 0 : 1, peer.now);
        peer.connection->wake(2, peer.now);
        peer.drive();
        if (reads(peer.step())) peer.receive("cdef");
        peer.connection->respond(1, Response{}, peer.now);
        peer.drive();
    };
    go_on(*bring());
    bring()->connection->fail(Outcome::peer_gone, {});
    auto slow = bring();
    slow->pass(1h);
    slow->pass(1h);
    auto retired = bring();
    retired->connection->retire(retired->now);
    go_on(*retired);
    auto woken = bring();
    woken->connection->wake(1, woken->now);
    woken->connection->wake(2, woken->now);
    woken->drive();
    go_on(*woken);
    auto away = bring();
    if (away->step() == Step::receive) away->connection->turn_away(away->now);
}

/// Those that no peer and no handler of the list above brings about.
void let_the_rest_happen() {
    ConnectionDriver fresh{hello};
    fresh.connection->retire(fresh.now);
    ConnectionDriver blank{hello};
    blank.receive("\r\n");
    blank.connection->retire(blank.now);
    blank.pass(1s);

    ConnectionDriver cut{hello};
    cut.receive(get.substr(0, 9));
    cut.receive(get.substr(9));

    for (const bool turned_away : {false, true}) {
        ConnectionDriver ready{hello};
        ready.connection->receive(get, ready.now);
        ASSERT_EQ(ready.step(), Step::handle);
        if (turned_away)
            ready.connection->turn_away(ready.now);
        else
            ready.connection->fail(Outcome::stopped, ready.now);
    }
    // A request is taken while the answer before it is still to be sent, and slow to be.
    ConnectionDriver behind{[](const Request& request) -> Reply {
        return request.id() == 1 ? hello(request) : later(request);
    }};
    behind.send_max = 0;
    behind.receive(get + get);
    behind.connection->transmitted(1, behind.now);
    behind.send_max = ~std::size_t{0};
    behind.drive();

    ConnectionDriver stalled{stream};
    stalled.receive(get);
    stalled.receive(get);  // waits for the source

    const std::string long_text(100'000, 'x');
    for (const bool fails : {false, true}) {
        ConnectionDriver sending{[&](const Request&) -> Reply {
            Response response;
            response.content_view(long_text);
            return response;
        }};
        sending.send_max = 0;
        sending.receive(fails ? get : "GET / HTTP/1.0\r\n\r\n");
        if (fails) sending.connection->fail(Outcome::peer_gone, sending.now);
        sending.send_max = 9999;
        sending.drive();
    }
    ConnectionDriver kept{[&](const Request&) -> Reply {
        Response response;
        response.content_view(long_text);
        return response;
    }};
    kept.receive(get + get);
}

/// In a tunnel that takes more for now, or does not.
void let_tunnels_happen() {
    const std::string upgrade =
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
    for (const bool is_paused : {false, true}) {
        for (const bool fails : {false, true}) {
            EchoTunnel::Notes notes;
            ConnectionDriver peer{echo_tunnel(notes)};
            peer.receive(upgrade);
            peer.send_max = 0;
            peer.receive("hello");
            notes.room = is_paused ? 0 : 8;
            peer.connection->wake(1, peer.now);
            peer.send_max = 9;
            peer.drive();
            notes.room = 8;
            peer.connection->wake(1, peer.now);
            notes.room = is_paused ? 0 : 8;
            peer.connection->wake(1, peer.now);
            if (fails)
                peer.connection->fail(Outcome::peer_gone, peer.now);
            else
                peer.connection->retire(peer.now);
        }
    }
}

std::string to_text(const Row& row) {
    return "phase " + std::to_string(static_cast<int>(row.from)) + ", event " +
           std::to_string(static_cast<int>(row.on));
}

TEST(Http1States, EveryRowIsTaken) {
    std::array<bool, rows.size()> taken{};
    decltype(table)::taken = &taken;
    for (const Brought& start : brought) let_everything_happen(start);
    let_the_rest_happen();
    let_tunnels_happen();
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(taken[i]) << to_text(rows[i]);
    decltype(table)::taken = nullptr;
}

#endif

}  // namespace
}  // namespace weir::http::exchange::http1
