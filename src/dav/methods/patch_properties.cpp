#include <cerrno>
#include <utility>

#include "dav/methods/methods.h"
#include "dav/properties/kept.h"
#include "dav/properties/live_properties.h"
#include "dav/request/body.h"
#include "dav/request/fault.h"
#include "dav/xml/escaped.h"

namespace weir::dav {
namespace {

using http::Status;

/// The result of a step.
struct Result {
    Status status = Status::ok;
    std::string condition{};
    std::string why{};
};

std::string response_to(const Asked& asked, bool is_folder,
                        const std::vector<std::pair<Name, Result>>& results) {
    std::string text{"<D:response>"};
    append_href(text, asked.href(asked.path, is_folder));
    for (const auto& [name, result] : results) {
        text += "<D:propstat><D:prop>";
        append_name(text, name);
        text += "</D:prop>";
        append_status(text, result.status);
        if (!result.condition.empty())
            text.append("<D:error>").append(result.condition).append("</D:error>");
        if (!result.why.empty()) {
            text += "<D:responsedescription>";
            append_escaped(text, result.why);
            text += "</D:responsedescription>";
        }
        text += "</D:propstat>";
    }
    return text + "</D:response>\n";
}

/// RFC 4918 9.2.1.
Result result_of(int error) {
    switch (error) {
        case 0: return {};
        case ENOTSUP:
            return {.status = Status::forbidden,
                    .why = "The file system of this folder keeps no extended attributes"};
        case EACCES:
        case EPERM:
        case EROFS:
            return {.status = Status::forbidden, .why = "The server may not change this file"};
        case ENOSPC:
        case EDQUOT:
        case E2BIG:
        case ERANGE:
            return {.status = Status::insufficient_storage,
                    .why = "The file system has no room for these properties"};
        default:
            return {.status = Status::internal_server_error,
                    .why = "The server could not keep the properties"};
    }
}

Result changed(const Visit& visit, const std::vector<PropertyStep>& steps) {
    const bool is_folder = visit.seen().kind == Tree::Kind::folder;
    const auto file = visit.tree().open(visit.asked().path, is_folder);
    DeadProperties properties = read_properties(file.get());
    for (const PropertyStep& step : steps) {
        if (step.xml.empty())
            properties.remove(step.name);
        else
            properties.set(step.name, step.xml);
        if (!properties.fit())
            return {.status = Status::insufficient_storage,
                    .why = "A file may have 100 properties of 4 KB each, and 16 KB in all"};
    }
    return result_of(write_properties(file.get(), properties));
}

}  // namespace

http::Response patch_properties(const Visit& visit) {
    const auto steps = read_proppatch(visit.asked().body);
    const auto held = visit.lock();
    visit.need_something();
    visit.need_conditions();
    visit.rights().need(visit.asked().path);
    bool has_live = false;
    for (const PropertyStep& step : steps) has_live = has_live || is_live(step.name);
    const Result whole = has_live ? Result{.status = failed_dependency} : changed(visit, steps);
    std::vector<std::pair<Name, Result>> results;
    for (const PropertyStep& step : steps) {
        const Result refused{.status = Status::forbidden,
                             .condition = "<D:cannot-modify-protected-property/>"};
        results.emplace_back(step.name, is_live(step.name) ? refused : whole);
    }
    const bool is_folder = visit.seen().kind == Tree::Kind::folder;
    return xml_response(multi_status,
                        document("multistatus", response_to(visit.asked(), is_folder, results)));
}

}  // namespace weir::dav
