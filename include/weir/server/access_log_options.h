#pragma once

#include <cstdint>
#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// One line for each answer, when it has been sent.
struct AccessLogOptions {
    enum class Format : std::uint8_t {
        combined,  // of Apache and nginx: remote, time, request, status, bytes, referer, user agent
        json,      // one object a line, which also says host, duration and how the answer ended
    };
    /// Appended to; "-" is standard error; empty: no log.
    std::string path;
    Format format = Format::combined;
};

}  // namespace weir::server
