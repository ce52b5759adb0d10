#include "site/fields/site_fields.h"

#include <utility>
#include <vector>

#include "site/path/target_path.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

http::CorsPolicy cors_policy(const Options& options) {
    return {.origins = options.cors_origins,
            // A page cannot read these fields otherwise (Fetch Standard, "CORS-safelisted
            // response-header name").
            .exposed = "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, Date, ETag",
            .methods = "GET, HEAD, OPTIONS",
            .any_header = true,  // none can do harm here
            .max_age = "7200"};  // two hours, the longest time that Chromium accepts
}

}  // namespace

std::expected<SiteFields, std::string> SiteFields::from(const Options& options) {
    auto media_types = MediaTypes::from(options.media_types);
    if (!media_types) return std::unexpected{std::move(media_types.error())};
    auto cors = http::Cors::from(cors_policy(options));
    if (!cors) return std::unexpected{std::move(cors.error())};
    for (const FieldRule& rule : options.fields)
        if (cors->names_origins() &&
            http::equals_ignoring_case(rule.name, "Access-Control-Allow-Origin"))
            return std::unexpected{"the field " + rule.name +
                                   " can't be set together with CORS origins"};
    std::vector<FieldRule> fields;
    for (const auto& [name, value] : cors->fixed_fields())  // first: later rules may replace them
        fields.push_back({.name = name, .value = value});
    fields.insert(fields.end(), options.fields.begin(), options.fields.end());
    auto rules = FieldRules::from(std::move(fields));
    if (!rules) return std::unexpected{std::move(rules.error())};
    auto own_rules = FieldRules::from(options.fields);
    if (!own_rules) return std::unexpected{std::move(own_rules.error())};
    return SiteFields{std::move(*media_types), std::move(*cors), std::move(*rules),
                      std::move(*own_rules)};
}

void SiteFields::add_to(http::Response& response, const http::Request& request,
                        bool (*may_replace)(http::Status)) const {
    if (response.status() == http::Status::switching_protocols) return;
    if (!response.get("Access-Control-Allow-Origin")) {
        if (cors.allows_preflight(request) && may_replace(response.status())) {
            response = http::Response{http::Status::no_content};
            cors.answer_preflight(request, response);
        }
        for (const auto& [name, value] : cors.fixed_fields()) put(response, name, value);
        cors.allow(request, response);
    }
    own_rules.add_to(response, path_for_fields(request.path()));
}

void SiteFields::apply_rules(http::Response& response, const http::Request& request) const {
    response = rules.completed(std::move(response), path_for_fields(request.path()));
}

}  // namespace weir::site
