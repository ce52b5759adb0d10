#include <cerrno>
#include <utility>
#include <vector>

#include "dav/methods/destination.h"
#include "dav/methods/methods.h"
#include "upload/faults.h"

namespace weir::dav {
namespace {

using http::Response;
using http::Status;
using web::Refusal;

/// A hidden file of the folder would be shown at another path.
void need_movable(const Visit& visit, const DestinationOf& destination) {
    const std::string& path = visit.asked().path;
    const bool is_folder = visit.seen().kind == Tree::Kind::folder;
    const auto below = is_folder ? visit.tree().all_below(path) : Tree::Entries{};
    visit.need_removable(path, below);
    for (const Tree::Entry& each : below.all)
        if (const auto refusal = destination.refusal_for(each.path)) throw *refusal;
}

/// The failures of both sides.
std::vector<Failure> locked_members(const Visit& visit, const DestinationOf& destination) {
    visit.need_conditions();
    visit.rights().need_as_member(visit.asked().path);
    auto failures = visit.locked_below(visit.asked().path);
    for (Failure& each : destination.locked()) failures.push_back(std::move(each));
    return failures;
}

}  // namespace

Response move(const Visit& visit) {
    const Asked& asked = visit.asked();
    visit.need_something();
    if (asked.depth.value_or(Depth::infinity) != Depth::infinity)
        throw Refusal{Status::bad_request, "A folder is moved with all that it has"};
    DestinationOf destination{visit};
    need_movable(visit, destination);
    {
        const auto held = visit.lock();
        if (const auto failures = locked_members(visit, destination); !failures.empty())
            return failed(asked, failures);
    }
    if (const auto failures = destination.make_room(); !failures.empty())
        return failed(asked, failures);
    {
        const auto held = visit.lock();
        if (const auto failures = locked_members(visit, destination); !failures.empty())
            return failed(asked, failures);
        const bool replaces = destination.is_taken() && visit.seen().kind == Tree::Kind::file;
        const int error = visit.tree().move(asked.path, destination.path(), replaces);
        if (error == EXDEV)
            throw Refusal{Status::bad_gateway,
                          "The destination lies in another file system: copy it"};
        if (error != 0) throw upload::refusal_of(error);
        visit.desk().locks.remove_within(asked.path);
        visit.desk().locks.remove_within(destination.path());
    }
    visit.tree().sync_folder_of(asked.path);
    visit.tree().sync_folder_of(destination.path());
    return Response{destination.is_taken() ? Status::no_content : Status::created};
}

}  // namespace weir::dav
