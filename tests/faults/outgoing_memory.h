#pragma once

#include <optional>
#include <string>

#include "contract/contract.h"
#include "faults/failing_new.h"
#include "faults/passing_on.h"

namespace weir::tests {

/// Allocations that fail in a server whose handler asks a PlainUpstream.
struct OutgoingMemory : Contract {
    OutgoingMemory() {
        FailingNew::spare_this_thread();
        options.aside = [](const auto& work) { FailingNew::spare(work); };
        options.timeouts.handler = milliseconds{1'000};  // a completion may be lost
    }
    ~OutgoingMemory() override { FailingNew::clear(); }
    /// Before the members of a test, which its handler uses.
    void TearDown() override {
        server_.reset();
        Contract::TearDown();
    }

    /// Has each allocation fail once, while a client makes the requests of PassingOn::ask(): it
    /// costs the requests and connections that it strikes, and nobody else.
    void fail_each(http::Handler& of_server) {
        server_.emplace(engine(), of_server, options);
        exchange();
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE("allocation " + std::to_string(nth));
            FailingNew::fail(nth);
            exchange();
            const bool reached = FailingNew::failed() != 0;
            FailingNew::clear();
            PassingOn::expect_served(server_->client());
            if (!reached || HasFailure()) break;
        }
    }

   private:
    void exchange() try { PassingOn::ask(server_->client()); } catch (const TimedOut&) {
        ADD_FAILURE() << "neither a response nor an end";
    } catch (const Unexpected&) {
        EXPECT_NE(FailingNew::failed(), 0);  // only a struck connection is cut
    }

    std::optional<Server> server_;
};

}  // namespace weir::tests
