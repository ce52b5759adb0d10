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

/// An order of a supervisor to a generation: a SIGUSR2 with this value (sigqueue(3)).
enum class Order : int {
    retire = 1,  // stop, because another generation serves
    stop = 2,    // stop, because the service ends
    cut = 3,     // stop at once
};

inline constexpr const char* generation_variable = "WEIR_GENERATION";

/// A generation's connection to its supervisor, and the sockets that came from the supervisor.
class Link {
   public:
    /// Returns null if this process is no generation. Removes the variable.
    static std::unique_ptr<Link> from_environment();

    /// The number of this generation, from 1.
    unsigned number() const noexcept { return handover_.number; }
    /// The sockets of the generation before.
    std::vector<int> sockets() const;
    /// The settings that the generation before gave to tell_settings(); nothing if there are none.
    std::optional<std::string> settings_before() const;
    /// The secret that a generation before gave to tell_ticket_secret(); nothing if there is none.
    /// Closes the descriptor, so a second call returns nothing.
    std::optional<std::string> take_ticket_secret();

    /// The file that a generation before gave to tell_counters(); empty if there is none. A second
    /// call returns nothing.
    net::UniqueFd take_counters() noexcept { return std::move(counters_); }

    // The functions below do nothing after the supervisor has ended.
    /// Sends the sockets that this generation listens on.
    void tell_sockets(std::span<const int> sockets) const;
    /// Sends this generation's options, for the next generation, and the options that differ from
    /// before, in words.
    void tell_settings(std::string_view settings, std::string_view changed) const;
    /// Sends the secret of this generation's session tickets, for the next generations.
    void tell_ticket_secret(std::string_view secret) const;
    /// Sends the file with the counts of this generation's requests, for the next generations.
    void tell_counters(int file) const;
    /// Sends an error; the supervisor passes it on to the client that requested the generation.
    void say(std::string_view text) const;
    /// Reports that this generation serves. `stops_within`: how long its stop may take.
    void tell_ready(std::chrono::milliseconds stops_within) const;

    /// Reports that all loops turn. Any thread may call.
    void tell_alive() const noexcept;

    /// From now on, the kernel sends SIGTERM when the supervisor ends. To call again after a change
    /// of user, which resets this (prctl(2)).
    static void stop_with_supervisor() noexcept;
    /// To call after the sockets were duplicated.
    void close_sockets() noexcept;

   private:
    explicit Link(Handover handover);

    Handover handover_;
    net::UniqueFd channel_;
    net::UniqueFd settings_;
    net::UniqueFd tickets_;
    net::UniqueFd counters_;
    std::vector<net::UniqueFd> sockets_;
};

}  // namespace weir::supervisor
