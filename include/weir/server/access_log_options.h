#pragma once

#include <cstdint>
#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// The access log has one line for each answer. The server writes it after it has sent the answer.
struct AccessLogOptions {
    enum class Format : std::uint8_t {
        combined,  // the format of Apache and nginx: remote, time, request, status, bytes, referer,
                   // user agent
        json,  // one JSON object per line; also has the host, the duration and how the answer ended
    };
    /// The file to append to; "-": standard error; empty: no log.
    std::string path;
    Format format = Format::combined;
};

}  // namespace weir::server
