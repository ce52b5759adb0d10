#include "dav/methods/destination.h"

#include <utility>

#include "site/path/paths.h"

namespace weir::dav {
namespace {

using http::Status;
using web::Refusal;

std::string path_from(const Asked& asked) {
    if (asked.destination.empty())
        throw Refusal{Status::bad_request, "The field Destination is missing"};
    auto path = asked.path_of(asked.destination);
    if (path) return std::move(*path);
    if (path.error() == ReferenceFault::elsewhere)
        throw Refusal{Status::bad_gateway, "The destination is another server"};
    throw Refusal{Status::bad_request, "The field Destination is malformed"};
}

/// The last folder that both paths lie in.
std::string common_folder(std::string_view one, std::string_view other) {
    std::string_view folder = site::parent_of(one);
    while (!site::is_within(other, folder)) folder = site::parent_of(folder);
    return std::string{folder};
}

}  // namespace

/// Rules of other handlers have judged the source alone. The destination has to be under the same
/// ones, so both are compared with the folder that they share.
DestinationOf::DestinationOf(const Visit& visit)
    : visit_{visit},
      path_{path_from(visit.asked())},
      kept_back_{visit.asked().kept_back(visit.desk(), common_folder(visit.asked().path, path_))},
      seen_{visit.tree().look(path_)} {
    const std::string& source = visit.asked().path;
    if (site::is_within(path_, source) || site::is_within(source, path_))
        throw Refusal{Status::forbidden, "The destination and the source lie in each other"};
    need_name(visit, path_);
    if (seen_.kind == Tree::Kind::barred ||
        (kept_back_ && (kept_back_(source) || kept_back_(path_))))
        throw Refusal{Status::forbidden, "Nothing may be put there"};
    if (seen_.is_there() && !visit.asked().overwrites)
        throw Refusal{Status::precondition_failed, "The destination is there already"};
    const bool replaces_a_file =
        seen_.kind == Tree::Kind::file && visit.seen().kind == Tree::Kind::file;
    if (seen_.is_there() && !replaces_a_file) removal_.emplace(visit, path_, seen_);
}

std::string DestinationOf::path_for(std::string_view member) const {
    return path_ + std::string{member.substr(visit_.asked().path.size())};
}

std::optional<Refusal> DestinationOf::refusal_for(const std::string& member) const {
    const std::string path = path_for(member);
    if (kept_back_ && (kept_back_(member) || kept_back_(path)))
        return Refusal{Status::forbidden, "Nothing may be put there"};
    return visit_.desk().store->names().refusal_of(target_of(path));
}

std::vector<Failure> DestinationOf::locked() const {
    visit_.rights().need_as_member(path_);
    return visit_.locked_below(path_);
}

std::vector<Failure> DestinationOf::make_room() {
    return removal_ ? removal_->run() : std::vector<Failure>{};
}

}  // namespace weir::dav
