#include "site/files/answer.h"

#include <array>
#include <string>
#include <utility>

#include "base/random_boundary.h"
#include "http/answer/byte_ranges.h"
#include "http/answer/error_page.h"
#include "http/answer/location.h"
#include "http/answer/multipart_ranges.h"
#include "http/answer/preconditions.h"
#include "net/clock.h"
#include "site/path/reference.h"

namespace weir::site {

using http::ByteRange;
using http::FieldName;
using http::Method;
using http::RequestedRanges;
using http::Response;
using http::Status;

namespace {

void set_content(Response& response, const Representation& representation, ByteRange range) {
    if (representation.file)
        response.content(http::FileRange{
            .fd = representation.file.get(), .offset = range.first, .size = range.size});
    else
        response.content_view(
            std::string_view{representation.body}.substr(range.first, range.size));
}

Response whole(const Representation& representation, std::shared_ptr<const void> owner) {
    Response response{Status::ok};
    representation.lend_all_fields(response);
    response.retain(std::move(owner));
    set_content(response, representation, {0, representation.size});
    return response;
}

Response single_range(const Representation& representation, ByteRange range,
                      std::shared_ptr<const void> owner) {
    Response response{Status::partial_content};
    representation.lend_all_fields(response);
    response.retain(std::move(owner));
    response.add("Content-Range", http::content_range(range, representation.size));
    set_content(response, representation, range);
    return response;
}

Response several_ranges(const Representation& representation, const RequestedRanges& requested,
                        std::shared_ptr<const void> owner) {
    auto source = std::make_unique<http::MultipartRanges>(
        http::MultipartRanges::Whole{.body = representation.body,
                                     .fd = representation.file.get(),
                                     .size = representation.size,
                                     .content_type = std::string{representation.content_type},
                                     .boundary = random_boundary(),
                                     .owner = owner},
        requested.all());
    Response response{Status::partial_content};
    representation.lend_fields_but_content(response);
    response.retain(std::move(owner));
    response.add("Content-Type", source->content_type());
    response.content(std::move(source));
    return response;
}

/// Returns the Range field if it applies: only with GET (RFC 9110 14.2), and only if there is one
/// field line.
std::optional<std::string_view> range_of(const http::Request& request) {
    if (request.method() != Method::get || !request.has(FieldName::range)) return std::nullopt;
    int lines = 0;
    request.each(FieldName::range, [&](std::string_view) { ++lines; });
    return lines == 1 ? request.field(FieldName::range) : std::nullopt;
}

Response ranged(std::string_view range, const Representation& representation,
                std::shared_ptr<const void> owner, const Refuse& refuse) {
    using Kind = RequestedRanges::Kind;
    const auto requested = http::requested_ranges(range, representation.size);
    if (requested.kind == Kind::unsatisfiable)
        return refuse(Status::range_not_satisfiable)
            .add("Content-Range", "bytes */" + std::to_string(representation.size));
    // A part of a multipart response has no field that could name its content coding.
    if (requested.kind == Kind::ignored ||
        (requested.count > 1 && !representation.content_encoding.empty()))
        return whole(representation, std::move(owner));
    if (requested.count == 1)
        return single_range(representation, requested.ranges[0], std::move(owner));
    return several_ranges(representation, requested, std::move(owner));
}

/// The steps follow the order of RFC 9110 13.2.2.
Response conditional(const http::Request& request, const Representation& representation,
                     std::shared_ptr<const void> owner, const Refuse& refuse) {
    const std::int64_t now = net::read_clock().unix_seconds;
    const http::Validators validators{representation.entity_tag, representation.last_modified};
    switch (http::evaluate_preconditions(request, validators, now)) {
        case http::Verdict::precondition_failed: return refuse(Status::precondition_failed);
        case http::Verdict::not_modified: {
            Response response{Status::not_modified};
            representation.lend_not_modified_fields(response);
            response.retain(std::move(owner));
            return response;
        }
        case http::Verdict::proceed: break;
    }
    const auto range = range_of(request);
    if (range && http::range_is_current(request, validators, now))
        return ranged(*range, representation, std::move(owner), refuse);
    return whole(representation, std::move(owner));
}

bool is_refusal(const Response& response) noexcept {
    return response.status() >= Status::bad_request;
}

/// A refusal may have an error page, which says itself what it varies by.
Response varying(Response refusal) {
    const auto vary = refusal.get("Vary");
    if (!vary || !vary->contains("Accept-Encoding")) refusal.append("Vary", "Accept-Encoding");
    return refusal;
}

bool is_conditional(const http::Request& request) noexcept {
    return request.has(FieldName::if_none_match) || request.has(FieldName::if_modified_since) ||
           request.has(FieldName::range) || request.has(FieldName::if_match) ||
           request.has(FieldName::if_unmodified_since);
}

}  // namespace

Response answer(const http::Request& request, const Resource& resource,
                std::shared_ptr<const void> owner, const Refuse& refuse) {
    const auto coding = choose_coding(request, resource.codings);
    if (!coding) return varying(refuse(Status::not_acceptable));
    const Representation& representation = resource.in(*coding);
    if (!is_conditional(request)) return whole(representation, std::move(owner));
    Response response = conditional(request, representation, std::move(owner), refuse);
    const bool varies = resource.representations.size() > 1;
    return varies && is_refusal(response) ? varying(std::move(response)) : std::move(response);
}

Response answer_as_error(const http::Request& request, Status status, const Resource& resource,
                         std::shared_ptr<const void> owner) {
    const auto coding = choose_coding(request, resource.codings);
    const Representation& representation = resource.in(coding.value_or(Coding::identity));
    Response response{status};
    representation.lend_content_fields(response);
    response.retain(std::move(owner));
    if (resource.representations.size() > 1) response.add("Vary", "Accept-Encoding");
    set_content(response, representation, {0, representation.size});
    return response;
}

Response answer_moved(const http::Request& request, std::string_view path, std::string_view to) {
    std::string location;
    append_reference(location, base_of(request, path), path, to);
    if (!request.query().empty()) location.append("?").append(request.query());
    location = http::location_from(location);
    Response response =
        http::error_response_with(std::array{http::Way{.reference = location, .words = "Go there"}},
                                  Status::moved_permanently);
    // Without no-cache, browsers would keep the redirect without limit (RFC 9111 4.2.2), even for
    // another site that is served later from the same port.
    response.add("Location", location).add("Cache-Control", "no-cache");
    return response;
}

}  // namespace weir::site
