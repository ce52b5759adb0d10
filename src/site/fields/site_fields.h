#pragma once

#include <expected>
#include <string>

#include "http/answer/cors.h"
#include "site/fields/field_rules.h"
#include "site/types/media_types.h"
#include "weir/http/request.h"
#include "weir/http/response.h"
#include "weir/site/site.h"

namespace weir::site {

/// The options that determine the fields of answers.
struct SiteFields {
    MediaTypes media_types;
    http::Cors cors;
    FieldRules rules;      // with the fields of `cors` that are the same for all requests
    FieldRules own_rules;  // without

    static std::expected<SiteFields, std::string> from(const Options& options);

    /// Adds the missing fields to an answer. The answer for a file has the fields of the rules
    /// already.
    void complete(http::Response& response, const http::Request& request) const {
        const bool has_rules =
            !response.prepared_fields().empty() && http::code(response.status()) < 400;
        // A listing's 304 has fields that are for the rules alone, and go with them.
        const bool sheds = response.status() == http::Status::not_modified;
        if (!has_rules && (!rules.is_empty() || sheds)) apply_rules(response, request);
        cors.allow(request, response);
    }

    /// Adds the fields to a response of another handler. A server that lets pages of other origins
    /// read its response has decided for itself. A preflight request of an allowed origin gets its
    /// answer in place of a response that `may_replace` accepts.
    void add_to(http::Response& response, const http::Request& request,
                bool (*may_replace)(http::Status)) const;

   private:
    void apply_rules(http::Response& response, const http::Request& request) const;
};

}  // namespace weir::site
