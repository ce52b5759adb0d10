#include "site/site_fields.h"

#include <utility>
#include <vector>

#include "site/path/target_path.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

/// The path for the rules, if an answer delivers no file.
std::string path_of(const http::Request& request) {
    const std::string_view target = request.path();
    if (!target.starts_with('/')) return "/";  // OPTIONS *, CONNECT host:port
    std::string buffer(target.size(), '\0');
    return std::string{target_path(target, buffer).value_or(target)};
}

}  // namespace

std::expected<SiteFields, std::string> SiteFields::from(const Options& options) {
    auto media_types = MediaTypes::from(options.media_types);
    if (!media_types) return std::unexpected{std::move(media_types.error())};
    auto cors = Cors::from(options.cors_origins);
    if (!cors) return std::unexpected{std::move(cors.error())};
    for (const FieldRule& rule : options.fields)
        if (cors->excludes(rule))
            return std::unexpected{"the field " + rule.name +
                                   " can't be set together with CORS origins"};
    std::vector<FieldRule> fields = cors->rules();  // first, so that later rules may replace them
    fields.insert(fields.end(), options.fields.begin(), options.fields.end());
    auto rules = FieldRules::from(std::move(fields));
    if (!rules) return std::unexpected{std::move(rules.error())};
    return SiteFields{std::move(*media_types), std::move(*cors), std::move(*rules)};
}

void SiteFields::apply_rules(http::Response& response, const http::Request& request) const {
    response = rules.completed(std::move(response), path_of(request));
}

}  // namespace weir::site
