#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "server/metrics/cells.h"
#include "weir/http/origin.h"

namespace weir::server {

/// Asks the loops of an engine whether they still turn. A question is a response to a connection
/// that does not exist, in the loop's postbox: the loop takes it out and drops it, and that is the
/// answer. So a loop that is asked nothing does no work for it. Thread-safe.
class LoopWatch {
   public:
    /// Counts in `delays` how long each answer took, unless that is null.
    explicit LoopWatch(std::shared_ptr<Histogram> delays = nullptr) noexcept
        : delays_{std::move(delays)} {}

    void add(std::weak_ptr<http::Postbox> loop);

    /// Returns whether each loop has answered the last question, and asks again. A loop that has
    /// ended counts as one that has answered. Without memory it asks no further loops.
    bool ask() noexcept;

   private:
    struct Loop {
        std::weak_ptr<http::Postbox> postbox;
        std::weak_ptr<const void> question{};  // expires with the answer
    };
    struct Question;
    void ask(Loop& loop);

    const std::shared_ptr<Histogram> delays_;
    std::mutex mutex_;
    std::vector<Loop> loops_;
};

}  // namespace weir::server
