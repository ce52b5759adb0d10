#include "live/page.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "http/syntax/field_lines.h"
#include "http/syntax/field_list.h"
#include "http/syntax/lower_case.h"
#include "live/appended.h"
#include "live/policy.h"
#include "weir/http/field_name.h"

namespace weir::live {
namespace {

using http::equals_ignoring_case;
using http::FieldName;
using http::Request;
using http::Response;
using http::Status;

template <typename Visit>
void for_each_field(const Response& response, Visit visit) {
    http::for_each_line(response, [&](std::string_view, std::string_view name,
                                      std::string_view value) { visit(name, value); });
}

struct Facts {
    bool is_html = false;
    bool has_coding = false;
    bool is_download = false;
    bool no_transform = false;
    bool no_store = false;
};

bool starts_with(std::string_view text, std::string_view beginning) noexcept {
    return equals_ignoring_case(text.substr(0, beginning.size()), beginning);
}

/// True for HTML whose encoding contains the bytes of ASCII.
bool is_html(std::string_view media_type) {
    const std::string type = http::lower_case(media_type);
    return type.starts_with("text/html") && !type.contains("utf-16") && !type.contains("utf-32");
}

Facts facts_of(const Response& response) {
    Facts facts;
    for_each_field(response, [&](std::string_view name, std::string_view value) {
        if (equals_ignoring_case(name, "Content-Type")) facts.is_html = is_html(value);
        if (equals_ignoring_case(name, "Content-Encoding")) facts.has_coding = true;
        if (equals_ignoring_case(name, "Content-Disposition"))
            facts.is_download = starts_with(value, "attachment");
        if (!equals_ignoring_case(name, "Cache-Control")) return;
        http::for_each_member(value, [&](std::string_view directive) {
            if (equals_ignoring_case(directive, "no-transform")) facts.no_transform = true;
            if (equals_ignoring_case(directive, "no-store")) facts.no_store = true;
        });
    });
    return facts;
}

/// Fetch Metadata names the purpose of the request. A browser that sends none may be an old one.
bool is_for_page(const Request& request) {
    const auto purpose = request.field("Sec-Fetch-Dest");
    return !purpose || purpose == "document" || purpose == "iframe" || purpose == "frame";
}

bool is_conditional(const Request& request) noexcept {
    return request.has(FieldName::if_none_match) || request.has(FieldName::if_modified_since) ||
           request.has(FieldName::range);
}

bool is_redirect(Status status) noexcept { return http::code(status) / 100 == 3; }

/// True for a field that describes the content without the script.
bool is_of_content(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 7> names{
        "ETag",        "Last-Modified", "Accept-Ranges", "Content-Digest",
        "Repr-Digest", "Digest",        "Content-MD5"};
    return std::ranges::any_of(
        names, [&](std::string_view each) { return equals_ignoring_case(name, each); });
}

/// The same response without content. `value_of` returns the value of each field; an empty one
/// removes it.
template <typename ValueOf>
Response with_fields(Response& response, const Facts& facts, ValueOf value_of) {
    Response made{response.status()};
    for_each_field(response, [&](std::string_view name, std::string_view value) {
        if (equals_ignoring_case(name, "Connection")) return;  // comes with Upgrade
        if (equals_ignoring_case(name, "Cache-Control") && !facts.no_store) return;
        const std::string kept = value_of(name, value);
        if (equals_ignoring_case(name, "Upgrade"))
            made.offer_upgrade(kept);
        else if (!kept.empty())
            made.add(name, kept);
    });
    if (!facts.no_store)
        made.add("Cache-Control", facts.no_transform ? "no-cache, no-transform" : "no-cache");
    if (response.closes()) made.close();
    made.retain(std::move(response.owner()));
    return made;
}

bool is_policy(std::string_view name) noexcept {
    return equals_ignoring_case(name, "Content-Security-Policy");
}

}  // namespace

Kind kind_of(const Request& request, const Response& response) {
    const Status status = response.status();
    if (!is_for_page(request)) return Kind::other;
    if (status == Status::not_modified || status == Status::partial_content ||
        status == Status::range_not_satisfiable)
        return is_conditional(request) ? Kind::may_be_page : Kind::other;
    if (!http::may_have_content(status) || is_redirect(status)) return Kind::other;
    const Facts facts = facts_of(response);
    if (!facts.is_html || facts.is_download || facts.no_transform) return Kind::other;
    if (!facts.has_coding) return Kind::page;
    return request.has(FieldName::accept_encoding) ? Kind::may_be_page : Kind::other;
}

Response with_script(Response page, std::string element, std::string_view nonce) {
    Response made =
        with_fields(page, facts_of(page), [&](std::string_view name, std::string_view value) {
            if (is_of_content(name)) return std::string{};
            return is_policy(name) ? policy_for_script(value, nonce) : std::string{value};
        });
    made.content() = appended(std::move(page.content()), std::move(element));
    return made;
}

Response kept_fresh(Response response, std::string_view nonce) {
    const Facts facts = facts_of(response);
    Response made =
        with_fields(response, facts, [&](std::string_view name, std::string_view value) {
            return facts.is_html && is_policy(name) ? policy_for_script(value, nonce)
                                                    : std::string{value};
        });
    made.content() = std::move(response.content());
    return made;
}

}  // namespace weir::live
