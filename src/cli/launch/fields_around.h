#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/serve/serve_options.h"
#include "rules/site_fields.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// True if --header or --cors adds fields to all responses of the site.
bool adds_fields(const SiteOptions& options);
/// True if a rule of access, a redirect or the like sends responses.
bool has_rules_around(const SiteOptions& options);

/// Adds the fields of --header and --cors to the responses of some handlers around the site. Where
/// there are none, the site alone adds them, at no further cost.
class FieldsAround {
   public:
    /// `are_handlers`: whether there are such handlers.
    FieldsAround(const SiteOptions& options, bool are_handlers)
        : options_{options}, is_on_{are_handlers && adds_fields(options)} {}

    /// Goes between these handlers and `inner`.
    http::Handler& inside(http::Handler& inner);
    /// Goes around them. The error is one sentence.
    std::expected<http::Handler*, std::string> outside(http::Handler& outer,
                                                       rules::Preflights preflights);

   private:
    const SiteOptions& options_;
    bool is_on_;
    std::unique_ptr<http::Handler> mark_;
    std::unique_ptr<http::Handler> completing_;
};

}  // namespace weir::cli
