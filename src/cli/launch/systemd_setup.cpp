#include "cli/launch/systemd_setup.h"

#include <chrono>

#include "cli/reload/generation.h"
#include "cli/service/passed_addresses.h"
#include "cli/service/service.h"

namespace weir::cli {
namespace {

void tell_alive() {
    if (const supervisor::Link* const link = supervisor_link()) return link->tell_alive();
    notifier().send("WATCHDOG=1");
}

/// For `systemctl status`: "serves /srv/www at 127.0.0.1:8000, unix:/run/weir.sock".
std::string status(const Launch& launch, const server::Server& server) {
    std::string text = "serves " + launch.served;
    const auto addresses = server.addresses();
    for (const std::string& address : addresses)
        text.append(&address == addresses.data() ? " at " : ", ").append(address);
    return text;
}

}  // namespace

std::string missing_socket(const server::Options& options) {
    for (const auto* const addresses : {&options.addresses, &options.redirect_addresses})
        for (const std::string& each : *addresses)
            if (is_passed_form(each))
                return "cannot listen on " + each +
                       ", as systemd has passed no socket: " + passed_sockets().why_none;
    return {};
}

void feed_watchdog(server::Options& options) {
    if (watchdog().count() == 0) return;
    options.alive_every = std::chrono::ceil<std::chrono::milliseconds>(watchdog() / 2);
    options.alive = tell_alive;
}

void tell_serving(const Launch& launch, const server::Server& server) {
    if (!notifier().is_on()) return;
    notifier().send("READY=1\n" + supervisor::status_line(status(launch, server)));
}

}  // namespace weir::cli
