#pragma once

#include <memory>

#include "engines/peer/completion.h"
#include "engines/peer/inbox.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Responses and wake-ups from other threads, for the thread that owns the connections. A
/// descriptor wakes that thread, once for all completions since its last collect().
class CompletionQueue final : public http::Postbox {
   public:
    void answer(http::Ticket ticket, http::Response&& response) override;
    void wake(http::Ticket ticket) override;
    void adopt(std::unique_ptr<http::Outbound> outbound) override;
    Instant now() const noexcept override;

    /// For the owner alone. The descriptor is readable while there are completions.
    int fd() const noexcept { return items_.fd(); }
    Inbox<Completion>::Collected collect() { return items_.collect(); }
    /// The owner has gone: completions are dropped from now on.
    void close();

   private:
    void put(Completion&& completion);

    Inbox<Completion> items_;
};

}  // namespace weir::engines
