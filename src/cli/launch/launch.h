#pragma once

#include <string>
#include <string_view>

#include "cli/options/launch_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

struct Launch {
    std::string_view command;  // as messages have it: "weir serve"
    std::string served;        // as the banner has it
    http::Handler& handler;
    const LaunchOptions& options;
    bool shows_requests = false;  // on a terminal, unless a log is on standard error
    bool opens_browser = false;
    bool shows_qr_code = false;
    bool has_no_index = false;  // as BannerFacts::has_no_index
};

/// Serves until a signal ends it: listens, says where, takes the process's signals. Returns an
/// exit code.
int launch(const Launch& launch);

}  // namespace weir::cli
