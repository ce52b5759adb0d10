#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/peer/inbox.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Where other threads leave answers and wake-ups for the thread that owns the connections. Wakes
/// that thread through a descriptor, once for all that came since it last looked.
class CompletionQueue final : public http::Postbox {
   public:
    struct Completion {
        http::Ticket ticket;
        std::optional<http::Response> answer;  // none: a wake-up
    };

    void answer(http::Ticket ticket, http::Response&& response) override;
    void wake(http::Ticket ticket) override;

    /// For the owner alone. Readable while there are completions.
    int fd() const noexcept { return items_.fd(); }
    std::vector<Completion> collect() { return items_.collect(); }
    /// The owner has gone: completions are thrown away from now on.
    void close();

   private:
    Inbox<Completion> items_;
};

}  // namespace weir::engines
