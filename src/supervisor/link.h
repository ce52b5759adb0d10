#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/unique_fd.h"
#include "supervisor/handover.h"

namespace weir::supervisor {

/// What a supervisor orders a generation to do, by SIGUSR2 with this value (sigqueue(3)).
enum class Order : int {
    retire = 1,  // another one serves: stop
    stop = 2,    // the service ends
    cut = 3,     // at once
};

inline constexpr const char* generation_variable = "WEIR_GENERATION";

/// In a generation: the way to its supervisor, and the sockets that came from it.
class Link {
   public:
    /// Null if this process is no generation. Removes the variable.
    static std::unique_ptr<Link> from_environment();

    /// 1 for the first one.
    unsigned number() const noexcept { return handover_.number; }
    /// Those of the generation before.
    std::vector<int> sockets() const;
    /// What tell_settings() of the generation before has told; nothing if none has.
    std::optional<std::string> settings_before() const;

    // Once the supervisor has ended, these do nothing.
    /// The generation listens on these.
    void tell_sockets(std::span<const int> sockets) const;
    /// Its options, for the generation after it, and which are others than before, in words.
    void tell_settings(std::string_view settings, std::string_view changed) const;
    /// What is wrong; the supervisor passes it on to who asked for the generation.
    void say(std::string_view text) const;
    /// It serves.
    void tell_ready(std::chrono::milliseconds stops_within) const;

    /// The supervisor's end is a reason to stop: the kernel then sends SIGTERM. Again after a change
    /// of user, which makes the kernel forget it.
    static void stop_with_supervisor() noexcept;
    /// The sockets were duplicated.
    void close_sockets() noexcept;

   private:
    explicit Link(Handover handover);

    Handover handover_;
    net::UniqueFd channel_;
    net::UniqueFd settings_;
    std::vector<net::UniqueFd> sockets_;
};

}  // namespace weir::supervisor
