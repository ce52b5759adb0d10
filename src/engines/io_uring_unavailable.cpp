#include <string>

#include "engines/entry_points.h"
#include "net/ring/ring.h"

namespace weir::engines {

std::string_view io_uring_unavailable() {
    static const std::string reason = [] {
        const auto error = net::Ring{}.open(1, 2, {});
        return error ? error.message() : std::string{};
    }();
    return reason;
}

}  // namespace weir::engines
