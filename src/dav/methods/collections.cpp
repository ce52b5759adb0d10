#include <cerrno>

#include "dav/methods/methods.h"
#include "dav/methods/removal.h"
#include "upload/faults.h"

namespace weir::dav {

using http::Response;
using http::Status;
using web::Refusal;

Response make_collection(const Visit& visit) {
    const std::string& path = visit.asked().path;
    if (!visit.asked().body.empty())
        throw Refusal{Status::unsupported_media_type, "A new folder has no content"};
    const auto held = visit.lock();
    visit.need_conditions();
    need_free_name(visit, path);
    visit.rights().need_as_member(path);
    if (const int error = visit.tree().make_folder(path); error != 0) {
        if (error == EEXIST) throw Refusal{Status::method_not_allowed, "The name is taken"};
        throw upload::refusal_of(error);
    }
    visit.tree().sync_folder_of(path);
    return Response{Status::created};
}

Response remove(const Visit& visit) {
    const Asked& asked = visit.asked();
    if (visit.seen().kind == Tree::Kind::folder &&
        asked.depth.value_or(Depth::infinity) != Depth::infinity)
        throw Refusal{Status::bad_request, "A folder is removed with all that it has"};
    visit.need_something();
    Removal removal{visit, asked.path, visit.seen()};
    {
        const auto held = visit.lock();
        visit.need_conditions();
        visit.rights().need_as_member(asked.path);
        if (auto failures = visit.locked_below(asked.path); !failures.empty())
            return failed(asked, failures);
    }
    if (const auto failures = removal.run(); !failures.empty()) return failed(asked, failures);
    visit.tree().sync_folder_of(asked.path);
    return Response{Status::no_content};
}

}  // namespace weir::dav
