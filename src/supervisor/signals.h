#pragma once

#include <expected>
#include <optional>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// A signal that a supervisor has got.
struct Signalled {
    int number = 0;
    bool by_terminal = false;  // SIGHUP, because the terminal was closed
};

/// The signals of a supervisor, to be read (signalfd(2)): SIGTERM, SIGINT, SIGHUP, SIGUSR1.
/// They stay blocked from then on.
class Signals {
   public:
    static std::expected<Signals, std::error_code> open();
    int fd() const noexcept { return fd_.get(); }
    /// The next one; nothing if none has come.
    std::optional<Signalled> take() const noexcept;

   private:
    explicit Signals(net::UniqueFd fd) noexcept : fd_{std::move(fd)} {}
    net::UniqueFd fd_;
};

}  // namespace weir::supervisor
