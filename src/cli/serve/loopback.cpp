#include "cli/serve/loopback.h"

#include <algorithm>

#include "server/endpoint.h"

namespace weir::cli {

bool are_loopback(const std::vector<std::string>& addresses) {
    const auto is_unix = [](const std::string& text) { return text.starts_with("unix:"); };
    return server::are_local(addresses) && std::ranges::none_of(addresses, is_unix);
}

}  // namespace weir::cli
