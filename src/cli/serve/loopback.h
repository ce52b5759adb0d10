#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// True if no address can be reached from other machines, nor through a proxy behind a unix socket.
bool are_loopback(const std::vector<std::string>& addresses);

}  // namespace weir::cli
