#include "dav/methods/asked.h"

#include <utility>

#include "site/path/paths.h"
#include "site/path/target_path.h"
#include "web/middleware/credentials.h"
#include "weir/web/refusal.h"

namespace weir::dav {
namespace {

using http::Request;
using http::Status;
using web::Refusal;

std::string text_of(const Request& request, std::string_view name) {
    return std::string{request.field(name).value_or("")};
}

/// "/a/b/" -> "a/b".
std::string relative(std::string_view path) {
    path.remove_prefix(1);
    if (path.ends_with('/')) path.remove_suffix(1);
    return std::string{path};
}

/// The part before `path` in the path that the client asked for. References name the same file
/// only if that is all in which they differ.
std::string prefix_before(const Request& request, std::string_view path) {
    auto asked = site::decoded_path(request.asked_path());
    if (!asked || !asked->ends_with(path))
        throw Refusal{Status::forbidden,
                      "WebDAV needs the folder's own address, and this one is rewritten"};
    asked->resize(asked->size() - path.size());
    return std::move(*asked);
}

/// Several lines are one list (RFC 9110 5.3).
std::optional<IfField> condition_of(const Request& request) {
    std::string text;
    for (const http::FieldLine& line : request.fields())
        if (http::equals_ignoring_case(request.name_of(line), "If"))
            text.append(" ").append(request.value_of(line));
    if (text.empty()) return std::nullopt;
    auto field = IfField::parse(text);
    if (!field) throw Refusal{Status::bad_request, "The field If is malformed"};
    return field;
}

template <typename Value>
Value needed(std::optional<Value> value, const char* name) {
    if (!value)
        throw Refusal{Status::bad_request, std::string{"The field "} + name + " is malformed"};
    return *value;
}

}  // namespace

Asked Asked::from(const Request& request, bool has_users) {
    const auto path = site::decoded_path(request.path());
    if (!path) throw Refusal{path.error(), "The path is malformed"};
    Asked asked{.path = relative(*path),
                .prefix = std::string{request.prefix()},
                .asked_prefix = prefix_before(request, *path),
                .authority = std::string{request.authority()},
                .ends_with_slash = path->ends_with('/'),
                .condition = condition_of(request),
                .conditions = upload::Conditions::of(request),
                .destination = text_of(request, "Destination"),
                .timeout = text_of(request, "Timeout"),
                .lock_token = text_of(request, "Lock-Token"),
                .size = request.content_length()};
    if (const auto depth = request.field("Depth"))
        asked.depth = needed(parse_depth(*depth), "Depth");
    if (const auto overwrite = request.field("Overwrite"))
        asked.overwrites = needed(parse_overwrite(*overwrite), "Overwrite");
    if (asked.condition) asked.holder.tokens = asked.condition->tokens();
    const auto credentials = has_users ? web::BasicCredentials::from(request) : std::nullopt;
    if (credentials) asked.holder.user = credentials->user();
    return asked;
}

std::string Asked::href(std::string_view of, bool is_folder) const {
    std::string absolute{"/"};
    absolute.append(of);
    if (is_folder && !of.empty()) absolute += '/';
    std::string out{prefix};
    site::append_encoded(out, absolute);
    return out;
}

std::expected<std::string, ReferenceFault> Asked::path_of(std::string_view reference) const {
    const auto meant = path_of_reference(reference, {.authority = authority, .prefix = prefix});
    if (!meant) return std::unexpected{meant.error()};
    return relative(*meant);
}

std::function<bool(const std::string&)> Asked::kept_back(const Desk& desk,
                                                         std::string folder) const {
    if (!desk.site.leaves_out) return nullptr;
    std::string address = asked_prefix + "/" + folder;
    if (!folder.empty()) address += '/';
    return [&leaves_out = desk.site.leaves_out, folder = std::move(folder),
            address = std::move(address)](const std::string& one) {
        return one != folder && site::is_within(one, folder) &&
               leaves_out({.folder = folder, .asked = address, .path = one});
    };
}

}  // namespace weir::dav
