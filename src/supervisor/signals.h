#pragma once

#include <expected>
#include <optional>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// A signal to a supervisor.
struct Signalled {
    int number = 0;
    bool by_terminal = false;  // SIGHUP, because the terminal was closed
};

/// as a descriptor to read from (signalfd(2)): SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD.
/// They stay blocked afterwards.
class Signals {
   public:
    static std::expected<Signals, std::error_code> open();
    int fd() const noexcept { return fd_.get(); }
    /// Returns the next signal; nothing if none has come.
    std::optional<Signalled> take() const noexcept;

   private:
    explicit Signals(net::UniqueFd fd) noexcept : fd_{std::move(fd)} {}
    net::UniqueFd fd_;
};

}  // namespace weir::supervisor
