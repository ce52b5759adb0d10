#include "dav/handler.h"

#include <array>
#include <optional>
#include <utility>

#include "dav/methods/copying.h"
#include "dav/methods/methods.h"
#include "dav/putting.h"
#include "dav/request/fault.h"
#include "dav/request/locked.h"
#include "http/answer/error_page.h"
#include "http/syntax/get_or_head.h"
#include "http/syntax/origin.h"
#include "site/path/paths.h"
#include "site/path/target_path.h"
#include "upload/incoming.h"
#include "upload/receiver.h"
#include "weir/web/body.h"

namespace weir::dav {
namespace {

using http::Reply;
using http::Request;
using http::Status;
using web::Refusal;
using web::Response;
using web::Task;

using Method = Response (*)(const Visit&);
struct Row {
    std::string_view name;
    Method method;  // null: it is done in several pieces
};
constexpr std::array<Row, 9> methods = {{{"PROPFIND", find_properties},
                                         {"PROPPATCH", patch_properties},
                                         {"MKCOL", make_collection},
                                         {"PUT", nullptr},
                                         {"DELETE", remove},
                                         {"COPY", nullptr},
                                         {"MOVE", move},
                                         {"LOCK", lock},
                                         {"UNLOCK", unlock}}};
constexpr std::string_view allowed_always =
    "GET, HEAD, OPTIONS, PROPFIND, PROPPATCH, DELETE, COPY, MOVE, LOCK, UNLOCK";

const Row* row_of(std::string_view method) noexcept {
    for (const Row& each : methods)
        if (each.name == method) return &each;
    return nullptr;
}

/// The value of Allow. A form is sent to a folder, and a file is put elsewhere.
std::string allowed(bool is_folder, bool can_be_made) {
    std::string text{allowed_always};
    text += is_folder ? ", POST" : ", PUT";
    if (can_be_made) text += ", MKCOL";
    return text;
}

/// The path without its slashes at the ends.
struct RelativePath {
    std::string text;
    bool is_of_folder = false;  // a slash or a dot segment was at its end

    /// Null if it is malformed.
    static std::optional<RelativePath> of(const Request& request) {
        auto path = site::decoded_path(request.path());
        if (!path || request.form() == http::TargetForm::asterisk) return std::nullopt;
        const bool is_of_folder = path->ends_with('/');
        path->erase(0, 1);
        if (path->ends_with('/')) path->pop_back();
        return RelativePath{.text = std::move(*path), .is_of_folder = is_of_folder};
    }
};

/// As upload::Uploads decides it.
bool is_upload(const Request& request, const RelativePath& path, const upload::Names& names) {
    if (request.method() == http::Method::post)
        return path.is_of_folder && names.take_in(path.text);
    return request.method() == http::Method::put && names.take_in(site::parent_of(path.text));
}

/// XML may have this many bytes, and no other content is read.
constexpr std::size_t body_bytes_max = 64 * 1024;

Task<std::string> body_of(web::Call& call) {
    const Refusal too_large{Status::content_too_large, "The XML of a request may have 64 KB"};
    if (call.request().content_length().value_or(0) > body_bytes_max) throw too_large;
    std::string bytes;
    if (!call.request().content_pending()) co_return bytes;
    auto body = call.body();
    while (const auto piece = co_await body.next()) {
        if (piece->size() > body_bytes_max - bytes.size()) throw too_large;
        bytes.append(*piece);
    }
    co_return bytes;
}

}  // namespace

Reply Elsewhere::handle(const Request& request) {
    Reply reply = inner_.handle(request);
    auto* const response = std::get_if<Response>(&reply);
    if (!response || response->status() != Status::not_implemented ||
        !row_of(request.method_text()))
        return reply;
    Response refusal = http::error_response(Status::method_not_allowed);
    response->status(Status::method_not_allowed)
        .set("Content-Type", *refusal.get("Content-Type"))
        .set("Allow", "GET, HEAD, OPTIONS")
        .content(std::get<std::string>(std::move(refusal.content())));
    return reply;
}

WebDav::WebDav(http::Handler& inner, std::unique_ptr<http::Handler> elsewhere,
               std::unique_ptr<http::Handler> uploads, Desk desk, std::size_t requests_max)
    : inner_{inner},
      elsewhere_{std::move(elsewhere)},
      uploads_{std::move(uploads)},
      desk_{std::move(desk)},
      requests_max_{requests_max} {
    desk_.store->look_further(look_at_forms(desk_));
    router_.add("/{path...}", [this](web::Call call) { return answer(std::move(call)); });
}

std::expected<void, std::string> WebDav::guard(const upload::Options& uploads) {
    if (!uploads.guard) return {};
    auto made = uploads.guard(guarded_);
    if (!made) return std::unexpected{std::move(made.error())};
    guard_ = std::move(*made);
    return {};
}

Reply WebDav::handle(const Request& request) {
    if (http::is_get_or_head(request.method())) return inner_.handle(request);
    const auto path = RelativePath::of(request);
    if (!path) return inner_.handle(request);
    const bool takes = desk_.takes(path->text);
    if (takes && request.method() == http::Method::options)
        return tell(inner_.handle(request), path->is_of_folder);
    const bool is_dav = takes && row_of(request.method_text());
    if (!is_dav && !is_upload(request, *path, desk_.store->names()))
        return takes ? tell(inner_.handle(request), path->is_of_folder) : uploads_->handle(request);
    if (http::is_of_another_origin(request))
        return http::error_response(Status::forbidden,
                                    "Pages of other sites may not change files here");
    return guard_ ? guard_->handle(request) : guarded_.handle(request);
}

Reply WebDav::Guarded::handle(const Request& request) {
    const auto path = RelativePath::of(request);
    const bool is_dav = path && all_.desk_.takes(path->text) && row_of(request.method_text());
    return is_dav ? all_.router_.handle(request) : all_.uploads_->handle(request);
}

/// Adds what the folder takes to a response of the site (RFC 4918 10.1). Windows mounts nothing
/// without MS-Author-Via.
Reply WebDav::tell(Reply reply, bool is_folder) {
    auto* const response = std::get_if<http::Response>(&reply);
    if (!response) return reply;
    if (response->get("Allow")) response->set("Allow", allowed(is_folder, true));
    response->set("DAV", "1, 2").set("MS-Author-Via", "DAV");
    return reply;
}

Task<Response> WebDav::answer(web::Call call) {
    const auto place = Place::take(taken_, requests_max_);
    if (!place)
        co_return http::come_again(Status::service_unavailable, std::chrono::seconds{5},
                                   "The server changes many files at the moment");
    Asked asked = Asked::from(call.request(), guard_ != nullptr);
    try {
        co_return co_await run(call, asked);
    } catch (const Locked& refusal) {
        co_return error(locked, missing_token(asked, refusal.root(), refusal.is_of_folder()));
    } catch (const Fault& fault) {
        co_return error(fault.status(), fault.condition());
    } catch (const Refusal& refusal) {
        if (refusal.status() != Status::method_not_allowed) throw;
        co_return http::error_response(refusal.status(), refusal.what())
            .add("Allow", allowed(asked.ends_with_slash, false));
    }
}

Task<Response> WebDav::run(web::Call& call, Asked& asked) {
    const std::string_view name = call.request().method_text();
    if (name == "PUT") co_return co_await put(call, asked);
    asked.body = co_await body_of(call);
    if (name == "COPY") co_return co_await copy(asked);
    const Method method = row_of(name)->method;
    co_return co_await offload(workers_, [this, &asked, method] { return method({desk_, asked}); });
}

Task<Response> WebDav::put(web::Call& call, Asked& asked) {
    upload::check_fields(call.request());
    if (asked.ends_with_slash) throw Refusal{Status::conflict, "A folder is made by MKCOL"};
    upload::Incoming file{*desk_.store, workers_, target_of(asked.path),
                          conditions_of_put(desk_, asked)};
    co_await offload(workers_, [this, &file, &asked] {
        need_name(Visit{desk_, asked}, asked.path);
        file.begin(asked.size);
    });
    auto body = call.body();
    while (const auto bytes = co_await body.next())
        if (file.add(*bytes)) co_await offload(workers_, [&file] { file.write(); });
    const auto done = co_await offload(workers_, [&file] { return file.finish(); });
    co_return Response{done == upload::Put::replaced ? Status::no_content : Status::created};
}

Task<Response> WebDav::copy(Asked& asked) {
    const auto copying = co_await offload(
        workers_, [this, &asked] { return std::make_unique<Copying>(desk_, asked); });
    while (!co_await offload(workers_, [&copying] { return copying->advance(); })) {}
    co_return copying->response();
}

}  // namespace weir::dav
