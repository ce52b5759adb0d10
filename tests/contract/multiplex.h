#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "contract/contract.h"
#include "support/multiplex_client.h"
#include "support/multiplex_connection.h"
#include "support/process.h"

namespace weir::tests {

/// The contract once more, for a protocol that HTTP/1 is not: many requests of one connection side by
/// side, and both directions at once. A protocol is added to the suite like this: its
/// http::Connection is what `options.connect` makes, a client of its own speaks it, and the tests ask
/// for the paths of ScriptedHandler. What is the protocol's alone has unit tests (tests/unit/support),
/// so that what fails here is the engine's.
struct Multiplex : Contract {
    Multiplex() {
        options.connect = [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            return std::make_unique<multiplex::Connection>(workspace, origin, now, bounds);
        };
    }

    MultiplexClient multiplex_client(Client::Options of_client = {}) {
        return MultiplexClient{client(of_client)};
    }
    /// That a new client gets an answer.
    void expect_served() {
        auto peer = multiplex_client();
        EXPECT_EQ(peer.ask("/hello").content, "hello\n");
    }
    /// The next answer of the connection.
    static void expect_served(MultiplexClient& peer) {
        EXPECT_EQ(peer.ask("/hello").content, "hello\n");
    }
    /// It goes on with nothing, for now; a process that was forked can't be looked at,
    /// and a thread that never sleeps tells nothing.
    void expect_not_handled(std::string_view note) {
        if (engine().forks || !nature_of(engine()).never_sleeps.empty()) return;
        EXPECT_TRUE(other_threads_sleep());
        EXPECT_EQ(handler.journal.count(std::string{note} + " handled"), 0);
    }
    void expect_end() {
        const auto error = server().wait();
        EXPECT_FALSE(error) << error.message();
    }

    /// More than the sockets hold, with all that it needs of the windows.
    static constexpr std::uint32_t large = 20'000'000;
    static std::uint32_t ask_for_much(MultiplexClient& peer, std::string_view target) {
        const auto stream = peer.request(std::string{target} + "&bytes=" + std::to_string(large));
        peer.grant(0, large);
        peer.grant(stream, large);
        return stream;
    }

    static constexpr milliseconds for_ever{3'600'000};
    multiplex::Bounds bounds;
};

}  // namespace weir::tests
