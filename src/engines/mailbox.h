#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/inbox.h"
#include "weir/http/origin.h"
#include "weir/http/response.h"

namespace weir::engines {

/// Where other threads leave answers and wake-ups for the thread that owns the connections. Wakes
/// that thread through a descriptor, once for all that came since it last looked.
class Mailbox final : public http::Postbox {
   public:
    struct Letter {
        std::uint64_t ticket;
        std::optional<http::Response> answer;  // none: a wake-up
    };

    void answer(std::uint64_t ticket, http::Response&& response) override;
    void wake(std::uint64_t ticket) override;

    /// For the owner alone. Readable while there are letters.
    int fd() const noexcept { return letters_.fd(); }
    std::vector<Letter> collect() { return letters_.collect(); }
    /// The owner has gone: letters are thrown away from now on.
    void close();

   private:
    Inbox<Letter> letters_;
};

}  // namespace weir::engines
