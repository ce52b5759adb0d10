// Stands in for asio.cpp and asio_wait.cpp where these were left out of the build.

#include "engines/entry_points.h"

namespace weir::engines {

std::error_code run_asio(Host&) { return std::make_error_code(std::errc::function_not_supported); }

std::error_code run_asio_wait(Host& host) { return run_asio(host); }

std::string_view asio_unavailable() {
    return "built without Asio: install libasio-dev and configure with -DWEIR_WITH_ASIO=ON";
}

}  // namespace weir::engines
