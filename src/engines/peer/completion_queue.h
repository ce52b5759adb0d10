#pragma once

#include <memory>

#include "engines/peer/completion.h"
#include "engines/peer/inbox.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Responses and wake-ups, for the thread that owns the connections. A descriptor wakes that
/// thread, once for all completions since its last collect(). The thread's own ones need no
/// descriptor: it asks has_own() before it sleeps.
class CompletionQueue final : public http::Postbox {
   public:
    ~CompletionQueue() override { leave(); }
    void answer(http::Ticket ticket, http::Response&& response) override;
    void wake(http::Ticket ticket) override;
    void adopt(std::unique_ptr<http::Outbound> outbound) override;
    Instant now() const noexcept override;

    /// For the owner alone, as all below: from now on, this thread asks has_own() before it sleeps.
    void enter() noexcept { entered = this; }
    /// Completions of the owner's own wait for collect().
    bool has_own() const noexcept { return has_own_; }
    /// The descriptor is readable while there are completions of other threads.
    int fd() const noexcept { return items_.fd(); }
    Inbox<Completion>::Collected collect() {
        has_own_ = false;
        return items_.collect();
    }
    /// The owner has gone: completions are dropped from now on.
    void close();

   private:
    void put(Completion&& completion);
    void leave() noexcept {
        if (entered == this) entered = nullptr;
    }

    static constinit thread_local const CompletionQueue*
        entered;  // the queue that this thread owns

    Inbox<Completion> items_;
    bool has_own_ = false;
};

}  // namespace weir::engines
