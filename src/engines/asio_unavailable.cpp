// Takes the place of asio.cpp in a build without Asio.

#include "engines/entry_points.h"

namespace weir::engines {

std::error_code run_asio(Host&) { return std::make_error_code(std::errc::function_not_supported); }

std::string_view asio_unavailable() {
    return "built without Asio: install libasio-dev and configure with -DWEIR_WITH_ASIO=ON";
}

}  // namespace weir::engines
