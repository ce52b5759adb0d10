#pragma once

#include <expected>
#include <string>
#include <vector>

#include "net/mapping.h"
#include "net/unique_fd.h"

namespace weir::cli {

/// A process beside the server that looks up the names of --proxy: in its sandbox, the server has
/// neither the files of the system's resolver nor its sockets. The process answers for these names
/// alone. Without it, the server asks the system itself.
class NameServer {
   public:
    /// Returns the reason why the process can't be started, as a sentence; empty if it can, or if
    /// there are no names.
    std::string start(const std::vector<std::string>& names);

    /// A proxy::LookUp. Threads of this process, and of processes that it has forked since, take
    /// turns.
    std::expected<std::vector<std::string>, std::string> look_up(const std::string& name) const;

   private:
    net::UniqueFd way_;  // to the process; empty: it was not started
    net::Mapping turn_;  // of all that ask; has a pthread_mutex_t
};

}  // namespace weir::cli
