#include "upload/receiver.h"

#include <limits>
#include <optional>
#include <utility>

#include "http/answer/error_page.h"
#include "http/answer/location.h"
#include "site/listing/listing.h"
#include "site/path/paths.h"
#include "site/path/reference.h"
#include "site/path/target_path.h"
#include "upload/incoming.h"
#include "weir/web/body.h"
#include "weir/web/refusal.h"

namespace weir::upload {
namespace {

using http::Request;
using http::Status;
using web::Refusal;
using web::Response;
using web::Task;

/// "/a/b/" -> "a/b".
std::string folder_of(std::string_view path) {
    return path.size() < 2 ? std::string{} : std::string{path.substr(1, path.size() - 2)};
}

/// A reference to what the request leads to. After a rewrite, that is at the client's own address,
/// too.
std::string reference_to(const Request& request, std::string_view path) {
    std::string reference;
    const site::Base base = site::base_of(request, path);
    if (base && !base->from.empty())
        site::append_reference(reference, std::nullopt, base->from, base->from);
    else
        site::append_reference(reference, base, path, path);
    return http::location_from(reference);
}

/// The size of each file of a form is limited, so only the number of parts limits the whole form.
web::MultipartLimits form_limits() {
    constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
    constexpr std::size_t parts_max = 1000;
    return {.parts_max = parts_max, .part_bytes_max = no_limit, .bytes_max = no_limit};
}

}  // namespace

/// A part of a file would be taken for the whole file (RFC 9110 14.5), and a compressed file would
/// be sent to other clients as it came (RFC 9110 8.4).
void check_fields(const Request& request) {
    if (request.field("Content-Range"))
        throw Refusal{Status::bad_request, "A file is put as a whole, without Content-Range"};
    if (request.field("Content-Encoding"))
        throw Refusal{Status::unsupported_media_type,
                      "A file is put as it is, without Content-Encoding"};
}

Task<Response> Receiver::take(web::Call call) {
    const auto place = Place::take(taken_, uploads_max_);
    if (!place)
        co_return http::come_again(Status::service_unavailable, std::chrono::seconds{5},
                                   "The server takes many files at the moment");
    check_fields(call.request());
    auto path = site::decoded_path(call.request().path());
    if (!path) throw Refusal{path.error(), "The path is malformed"};
    const bool is_form = path->ends_with('/');
    Task<Response> task = is_form ? post(call, std::move(*path)) : put(call, std::move(*path));
    co_return co_await task;
}

Task<Response> Receiver::put(web::Call& call, std::string path) {
    const Request& request = call.request();
    const auto size = request.content_length();
    const std::string reference = reference_to(request, path);
    Incoming file{*store_, workers_, target_of(std::string_view{path}.substr(1)),
                  Conditions::of(request)};
    co_await offload(workers_, [&file, size] { file.begin(size); });
    auto body = call.body();
    while (const auto bytes = co_await body.next())
        if (file.add(*bytes)) co_await offload(workers_, [&file] { file.write(); });
    const Put put = co_await offload(workers_, [&file] { return file.finish(); });
    if (put == Put::replaced) co_return Response{Status::no_content};
    Response response{Status::created};
    response.add("Location", reference);
    co_return response;
}

/// Reads the path of the request at once: outer handlers may undo a rewrite before the content
/// comes.
Task<Response> Receiver::post(web::Call& call, std::string path) {
    const std::string folder = folder_of(path);
    const std::string back = reference_to(call.request(), path);
    const std::string asked = site::decoded_path(call.request().asked_path()).value_or(path);
    const bool is_for_script = site::prefers_json(call.request());
    web::Multipart form{call, form_limits()};
    Results results;
    while (auto part = co_await form.next()) {
        if (part->file_name.empty()) continue;  // another field, or a choice of no file
        Sent sent{.target = {.folder = folder, .name = std::move(part->file_name)}, .asked = asked};
        co_await save(form, std::move(sent), results);
        if (!co_await skip(form)) {
            results.leave_rest();
            break;
        }
    }
    if (is_for_script) co_return results.as_json();
    if (results.is_empty()) throw Refusal{Status::bad_request, "The form has no file"};
    co_return results.as_page(back);
}

Task<void> Receiver::save(web::Multipart& form, Sent sent, Results& results) {
    const std::string name = sent.target.name;
    std::optional<Refusal> refusal;
    try {
        const Put put = co_await write(form, std::move(sent));
        results.add(name, put == Put::made ? Status::created : Status::no_content);
    } catch (const Refusal& caught) {
        refusal = caught;
    }
    if (refusal) results.add(name, refusal->status(), refusal->what());
}

/// The files behind may be taken. A part without end would cost time without end.
Task<bool> Receiver::skip(web::Multipart& form) {
    std::uint64_t skipped = 0;
    while (const auto bytes = co_await form.piece())
        if ((skipped += bytes->size()) > file_bytes_max_) co_return false;
    co_return true;
}

Task<Put> Receiver::write(web::Multipart& form, Sent sent) {
    check(sent);
    Incoming file{*store_, workers_, std::move(sent.target), {}};
    co_await offload(workers_, [&file] { file.begin(std::nullopt); });
    while (const auto bytes = co_await form.piece())
        if (file.add(*bytes)) co_await offload(workers_, [&file] { file.write(); });
    co_return co_await offload(workers_, [&file] { return file.finish(); });
}

/// The rules of outer handlers have seen only the path of the folder.
void Receiver::check(const Sent& sent) const {
    const Target& target = sent.target;
    if (const auto refusal = names().refusal_of(target)) throw *refusal;
    const std::string path = site::joined(target.folder, target.name);
    if (leaves_out_ && leaves_out_({.folder = target.folder, .asked = sent.asked, .path = path}))
        throw Refusal{Status::forbidden,
                      "This file has rules of its own; put it by its own address"};
}

}  // namespace weir::upload
