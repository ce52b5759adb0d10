#pragma once

#include <cstdint>
#include <optional>

#include "engines/peer/inbox.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Other threads put answers and wake-ups here, for the thread that owns the connections. That
/// thread is woken through a descriptor, once for all completions since it last looked.
class CompletionQueue final : public http::Postbox {
   public:
    struct Completion {
        http::Ticket ticket;
        std::optional<http::Response> answer;  // none: a wake-up
    };

    void answer(http::Ticket ticket, http::Response&& response) override;
    void wake(http::Ticket ticket) override;
    Instant now() const noexcept override;

    /// Both for the owner alone. Readable while there are completions.
    int fd() const noexcept { return items_.fd(); }
    Inbox<Completion>::Collected collect() { return items_.collect(); }
    /// The owner has gone: completions are dropped from now on.
    void close();

   private:
    void put(Completion&& completion);

    Inbox<Completion> items_;
};

}  // namespace weir::engines
