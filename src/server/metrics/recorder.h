#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "engines/turn_observer.h"
#include "http/observer.h"
#include "server/metrics/slot_table.h"
#include "weir/http/handler.h"

namespace weir::server {

/// Counts what happens in a server, each thread in a slot of its own. No call allocates, but for the
/// first one of a thread, and none blocks.
class Recorder final : public http::Observer, public engines::TurnObserver {
   public:
    /// Throws std::system_error or std::bad_alloc if the system has no memory left.
    Recorder() : table_{std::make_shared<SlotTable>()} {}

    /// Each answer is told to `next`, too; it may be null. Before the server runs, and in a process
    /// that was forked.
    void pass_on_to(http::Observer* next) noexcept { next_ = next; }

    void answered(const http::Answered& answered) noexcept override;
    void turn_began(Instant now) noexcept override;
    void turn_ended(Instant now) noexcept override;
    /// A connection, by its Origin::entrance().
    void accepted(std::uint8_t entrance) noexcept;
    /// ALPN has chosen `protocol`; empty where it has chosen nothing.
    void handshake(std::string_view protocol) noexcept;
    void handler_began() noexcept;
    void handler_ended() noexcept;

    /// First in a process that was forked: what the parent's thread counts is not for this one.
    void forked() noexcept;
    /// This thread counts nothing more, or begins anew.
    void thread_ends() noexcept;

    SlotTable& table() const noexcept { return *table_; }

   private:
    const std::shared_ptr<SlotTable> table_;
    http::Observer* next_ = nullptr;
};

/// Counts the calls of a handler, and those that have not returned.
class RecordedHandler final : public http::Handler {
   public:
    /// Both must outlive it. `handler` does not throw.
    RecordedHandler(http::Handler& handler, Recorder& recorder)
        : handler_{handler}, recorder_{recorder} {}

    http::Reply handle(const http::Request& request) override {
        recorder_.handler_began();
        http::Reply reply = handler_.handle(request);
        recorder_.handler_ended();
        return reply;
    }

   private:
    http::Handler& handler_;
    Recorder& recorder_;
};

}  // namespace weir::server
