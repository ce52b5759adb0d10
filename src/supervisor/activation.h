#pragma once

#include <span>
#include <string>
#include <vector>

#include "supervisor/handover.h"

namespace weir::supervisor {

/// The listening sockets that systemd has given to this process (sd_listen_fds(3)): LISTEN_FDS of
/// them from descriptor 3 on, if LISTEN_PID is this process, with LISTEN_FDNAMES. They become closed
/// on exec, and the variables are removed. Sockets that are no bound stream sockets are left out, with
/// a sentence each in `complaints`.
std::vector<Activated> take_activated(std::vector<std::string>& complaints);

/// "0.0.0.0:80", "unix:/run/weir.sock": as --bind takes it. Empty if it is no address to listen on.
std::string address_text(int socket);

}  // namespace weir::supervisor
