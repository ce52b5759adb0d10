#include "rules/folder_completion.h"

#include <algorithm>

#include "http/answer/error_page.h"
#include "http/answer/location.h"
#include "http/syntax/field_lines.h"
#include "http/syntax/lower_case.h"
#include "weir/http/field_name.h"

namespace weir::rules {
namespace {

using http::equals_ignoring_case;
using http::Response;
using http::Status;

/// A list to which the site and the rules each contribute.
bool is_shared_list(std::string_view name) noexcept {
    return equals_ignoring_case(name, "Vary") || equals_ignoring_case(name, "Link") ||
           equals_ignoring_case(name, "Access-Control-Expose-Headers");
}

/// True for a field of delivered content only: a cache would keep an error longer than its cause
/// lasts, and the page of an error is other content.
bool is_for_delivery(std::string_view name) {
    const std::string lowered = http::lower_case(name);
    const bool is_of_content =
        lowered.starts_with("content-") && !lowered.starts_with("content-security-policy");
    return is_of_content || lowered.ends_with("cache-control") || lowered == "expires";
}

bool applies(std::string_view name, bool is_delivered) {
    return is_delivered || !is_for_delivery(name);
}

bool is_refused(Status status) noexcept {
    constexpr unsigned unauthorized = 401, forbidden = 403, too_many = 429, failures = 500;
    const unsigned code = http::code(status);
    return code == unauthorized || code == forbidden || code == too_many || code >= failures;
}

void make_not_found(Response& response) {
    if (is_refused(response.status()) || response.status() == Status::not_found) return;
    if (response.status() == Status::ok)
        response.status(Status::not_found);
    else  // a part of the page, or none
        response = http::error_response(Status::not_found);
}

}  // namespace

void FolderCompletion::complete(Response& response) const {
    if (http::code(response.status()) < 200) return;
    if (verdict_ && verdict_->status == Status::not_found)
        make_not_found(response);
    else if (verdict_ && !verdict_->rewrites())
        redirect(response);
    if (!changes_.is_empty()) change_fields(response);
}

void FolderCompletion::redirect(Response& response) const {
    const Status status = response.status();
    if (verdict_->is_forced ? is_refused(status) : status != Status::not_found) return;
    response = http::error_response(verdict_->status);
    response.add("Location", http::location_from(verdict_->target));
}

void FolderCompletion::change_fields(Response& response) const {
    const Status status = response.status();
    const bool is_unmodified = status == Status::not_modified;
    const bool is_delivered = http::code(status) < 300 || is_unmodified;
    Response changed{status};
    http::for_each_line(response, [&](std::string_view, auto name, auto value) {
        if (!is_replaced(name, is_delivered)) changed.add(name, value);
    });
    for (const HeaderRule::Line& line : changes_.added)
        if (applies(line.name, is_delivered) &&
            !(is_unmodified && http::lower_case(line.name).starts_with("content-")))
            changed.add(line.name, line.value);
    changed.content() = std::move(response.content());
    changed.retain(std::move(response.owner()));
    if (response.closes()) changed.close();
    response = std::move(changed);
}

bool FolderCompletion::is_replaced(std::string_view name, bool is_delivered) const {
    const auto is_it = [name](std::string_view other) { return equals_ignoring_case(name, other); };
    if (!applies(name, is_delivered)) return false;
    if (std::ranges::any_of(changes_.removed, is_it)) return true;
    return !is_shared_list(name) &&
           std::ranges::any_of(changes_.added, is_it, &HeaderRule::Line::name);
}

}  // namespace weir::rules
