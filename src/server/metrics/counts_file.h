#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "net/unique_fd.h"
#include "server/metrics/counts.h"

namespace weir::server {

/// Counts in a file in memory (memfd_create(2)), which one generation of a server hands on to the
/// next. Both count in it while both serve.
struct CountsFile {
    net::UniqueFd file;
    std::shared_ptr<Counts> counts;
};

/// Throws std::system_error if the system has no memory or no descriptor left.
CountsFile make_counts_file();

/// Opens the file of an earlier generation, and frees the slots and the places of processes that
/// have ended. Nothing if the counts of that file have another layout, as in another version.
std::optional<CountsFile> open_counts_file(net::UniqueFd file);

/// False if no process has this number. If there is no /proc, true.
bool is_running(pid_t process) noexcept;

}  // namespace weir::server
