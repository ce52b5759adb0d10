#include "site/page/listing_answer.h"

#include <string>
#include <string_view>
#include <utility>

#include "http/answer/preconditions.h"
#include "site/fields/entity_tag.h"
#include "site/fields/field_rules.h"
#include "site/page/listing_assets.h"

namespace weir::site {

namespace {

FieldSet fields_of(const Listing& listing, bool json, const std::string& tag) {
    FieldSet fields;
    fields.set("ETag", tag);
    fields.set("Content-Type", json ? "application/json" : "text/html; charset=utf-8");
    fields.set("X-Content-Type-Options", "nosniff");
    fields.set("Cache-Control", "no-cache");
    fields.set("Link", links_of(listing));
    if (!json)
        fields.set("Content-Security-Policy",
                   listing.uploads ? upload_form_policy : listing_policy);
    return fields;
}

}  // namespace

http::Response answer_with_listing(const http::Request& request, const Listing& listing,
                                   bool json) {
    std::string content = json ? listing_as_json(listing) : listing_as_html(listing);
    const std::string tag = entity_tag(content);
    const http::Verdict verdict =
        http::evaluate_preconditions(request, {.entity_tag = tag}, 0);  // no dates
    if (verdict == http::Verdict::precondition_failed)
        return http::Response{http::Status::precondition_failed};
    http::Response response{verdict == http::Verdict::not_modified ? http::Status::not_modified
                                                                   : http::Status::ok};
    fields_of(listing, json, tag).for_each([&](std::string_view name, std::string_view value) {
        response.add(name, value);
    });
    response.add("Vary", "Accept");
    if (verdict == http::Verdict::proceed) response.content(std::move(content));
    return response;
}

}  // namespace weir::site
