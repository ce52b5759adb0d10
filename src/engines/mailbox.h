#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "net/bell.h"
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
    int fd() const noexcept { return bell_.fd(); }
    std::vector<Letter> collect();
    /// The owner has gone: letters are thrown away from now on.
    void close();

   private:
    void put(Letter&& letter);

    net::Bell bell_;
    std::mutex mutex_;
    std::vector<Letter> letters_;
    bool closed_ = false;
};

}  // namespace weir::engines
