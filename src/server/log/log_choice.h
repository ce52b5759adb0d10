#pragma once

#include <atomic>
#include <cstdint>

#include "http/observer.h"
#include "server/log/log_among_forks.h"
#include "weir/server/access_log_options.h"

namespace weir::server {

/// Chooses the answers that have a line. Answers that are errors of the server (5xx) always have
/// one: the operator must see them.
class LogChoice {
   public:
    /// Chooses all answers.
    LogChoice() = default;
    /// `forks` must outlive the object; null: no other process writes to the log.
    LogChoice(const AccessLogOptions& options, LogAmongForks* forks)
        : skip_{options.skip}, sample_{options.sample}, forks_{forks} {}

    /// Returns the number of answers that a line of this one stands for; 0: it has no line.
    std::uint32_t weight_of(const http::Answered& answered) {
        constexpr unsigned first_error = 400;
        constexpr unsigned first_server_error = 500;
        const unsigned status = http::code(answered.status);
        if (status >= first_server_error) return 1;
        if (skip_ && answered.request && skip_(*answered.request)) return 0;
        if (status >= first_error || sample_ <= 1) return 1;
        return next() % sample_ == 0 ? sample_ : 0;
    }

   private:
    /// A process for a single connection may have too few answers to count by itself.
    std::uint32_t next() noexcept { return forks_ ? forks_->next_sample() : next_++; }

    AccessLogOptions::Skip skip_{};
    std::uint32_t sample_ = 1;
    LogAmongForks* forks_ = nullptr;
    std::atomic<std::uint32_t> next_{0};
};

}  // namespace weir::server
