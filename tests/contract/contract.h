#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "engines/engines.h"
#include "support/client.h"
#include "support/pattern.h"
#include "support/scripted_handler.h"
#include "support/server.h"
#include "support/time_limit.h"

namespace weir::tests {

using std::chrono::milliseconds;

/// What an engine can't do because of what it is. Everything that isn't said here is demanded.
struct Nature {
    /// Why one connection makes the others wait; empty where it doesn't.
    std::string_view serves_one_at_a_time{};
    /// Why more connections than workers wait; empty where they don't. Such an engine gets as many
    /// workers as a test has connections, unless the test wants one.
    std::string_view worker_serves_one_at_a_time{};
    /// Why all others on a loop wait while one peer takes an answer; empty where they don't.
    std::string_view sends_one_at_a_time{};
    /// Why pipelined requests are not all answered at once; empty where they are.
    std::string_view answers_one_by_one{};
    /// Why a connection is turned away that gets a descriptor past FD_SETSIZE; empty where it isn't.
    std::string_view watches_low_descriptors_only{};
    /// Why each read is tried before it is waited for; empty where what was read says whether to try.
    std::string_view tries_before_each_wait{};
    /// Why it never sleeps, not even where there is nothing that it could do; empty where it does.
    std::string_view never_sleeps{};
    /// Why whoever waits is woken twice for each request; empty where once is enough.
    std::string_view waits_for_its_threads{};
    /// Why several requests of one connection are handled at once; empty where it is one at a time.
    std::string_view handles_side_by_side{};
    /// Why a small answer counts as sent before the socket has taken it; empty where it doesn't.
    std::string_view counts_as_sent_early{};
    /// Why a reset is not seen while the connection is not read from; empty where it is.
    std::string_view misses_resets{};
};
Nature nature_of(const engines::Engine& engine);

/// Every test of the contract runs over every engine in the table, on real sockets.
class Contract : public ::testing::TestWithParam<const engines::Engine*> {
   protected:
    Contract();
    /// Skips an engine that this machine can't run.
    void SetUp() override;

    const engines::Engine& engine() const { return *GetParam(); }
    /// Why one connection makes the others wait, with `options` as they are; empty where it doesn't.
    std::string_view why_one_at_a_time() const;
    bool one_at_a_time() const { return !why_one_at_a_time().empty(); }
    /// For a handler that takes too long, where the next request is to be served: that may have to wait
    /// for a thread.
    milliseconds handler_time() const;

    /// With `options` as they are then.
    void start() { server_.emplace(engine(), handler, options); }
    void stop() { server_.reset(); }
    void restart_on_same_port();
    Server& server() { return *server_; }
    /// Of the server, which is started first where it isn't running.
    Client client(Client::Options of_client = {});
    /// That a new client gets an answer.
    void expect_served();
    /// A process for a connection may answer before its parent has opened the descriptor of it. If
    /// that fails, the parent kills it.
    void let_parent_catch_up() const;
    /// That the server, which was told to stop, ends without an error.
    void expect_end();

    ScriptedHandler handler;
    Server::Options options;

   private:
    std::optional<Server> server_;  // last: gone before what it uses
};

std::string get(std::string_view target, std::string_view more_fields = {});
std::string post(std::string_view target, std::string_view content,
                 std::string_view more_fields = {});
/// The head of a request whose content is said to be that long.
std::string post_head(std::string_view target, std::size_t content_bytes,
                      std::string_view more_fields = {});
std::string chunk(std::string_view bytes);

/// That it is that much of the pattern; otherwise says where it differs, not how.
void expect_pattern(std::string_view content, std::size_t bytes);

/// What is expected of every short deadline: it is not kept waiting for, only waited for.
inline constexpr milliseconds short_time{100};
/// For what must not end because of its time.
inline constexpr milliseconds for_ever{3'600'000};
/// For a deadline before which the peer itself has something to do: on a busy machine, its processor
/// may be taken for longer than a short time.
inline constexpr milliseconds fair_time{1000};
/// The same where a thread of a pool has to take a request first.
inline constexpr milliseconds thread_time{5000};

std::vector<const engines::Engine*> every_engine();
std::string name_of_engine(const ::testing::TestParamInfo<const engines::Engine*>& info);

}  // namespace weir::tests

/// A suite over the whole table: `struct Suite : Contract`, then this.
#define WEIR_OVER_EVERY_ENGINE(Suite)                                                            \
    INSTANTIATE_TEST_SUITE_P(Engines, Suite, ::testing::ValuesIn(::weir::tests::every_engine()), \
                             ::weir::tests::name_of_engine)

/// For tests in which one client keeps another waiting. Skipped in words, not silently.
#define WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE()                     \
    if (const auto reason = why_one_at_a_time(); !reason.empty()) \
    GTEST_SKIP() << engine().name << ": " << reason

/// For tests in which one client is slow to read, or has no end of reading to do.
#define WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE()                                             \
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();                                            \
    if (const auto reason = nature_of(engine()).sends_one_at_a_time; !reason.empty()) \
    GTEST_SKIP() << engine().name << ": " << reason
