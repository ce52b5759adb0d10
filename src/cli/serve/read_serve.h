#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/config/printed.h"
#include "cli/config/sources.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {

/// An option of `weir serve` that was given.
struct GivenOption {
    config::Said said;  // PATH counts as --root
    Source source;
    std::string given_by;  // "--port", "WEIR_PORT" or "weir.toml:3:1: port", for messages
};

/// The options of the server, or of one of several sites.
struct ReadServe {
    std::expected<ServeOptions, NoOptions> options;
    std::vector<GivenOption> given;

    /// Null if the option was not given.
    const GivenOption* find(std::string_view long_name) const;
};

ReadServe read_serve(const Sources& sources);

}  // namespace weir::cli
