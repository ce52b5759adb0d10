#include "dav/methods/removal.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "dav/request/locked.h"
#include "site/path/paths.h"
#include "upload/faults.h"

namespace weir::dav {

using http::Status;
using web::Refusal;

Removal::Removal(const Visit& visit, std::string path, const Tree::Seen& seen)
    : visit_{visit},
      path_{std::move(path)},
      is_folder_{seen.kind == Tree::Kind::folder},
      below_{is_folder_ ? visit.tree().all_below(path_) : Tree::Entries{}} {
    visit.need_removable(path_, below_);
}

std::vector<Failure> Removal::run() {
    for (auto each = below_.all.rbegin(); each != below_.all.rend(); ++each) {
        remove(each->path, each->is_folder());
        if (failures_.size() == failures_max) return std::move(failures_);
    }
    const bool is_removed = remove(path_, is_folder_);
    if (!is_removed && failures_.size() == 1 && failures_.front().path == path_) {
        const Failure& own = failures_.front();
        if (own.status == locked) throw Locked{path_, is_folder_};
        throw Refusal{own.status, "It could not be removed"};
    }
    return std::move(failures_);
}

bool Removal::remove(const std::string& path, bool is_folder) {
    const auto held = visit_.lock();
    Failure failure{.path = path, .is_folder = is_folder};
    try {
        visit_.rights().need(path);
        const int error = visit_.tree().remove(path, is_folder);
        if (error == 0 || error == ENOENT) {
            visit_.desk().locks.remove_within(path);
            return true;
        }
        if (error == ENOTEMPTY && !failures_.empty()) return false;
        failure.status = upload::refusal_of(error).status();
    } catch (const Locked& refusal) {
        failure.status = locked;
        failure.condition = missing_token(visit_.asked(), refusal.root(), refusal.is_of_folder());
    } catch (const Refusal& refusal) {
        failure.status = refusal.status();
    }
    failures_.push_back(std::move(failure));
    return false;
}

void need_name(const Visit& visit, const std::string& path) {
    if (!visit.desk().takes(path) || visit.desk().stays(path))
        throw Refusal{Status::forbidden, "The name lies in no folder with WebDAV"};
    if (const auto refusal = visit.desk().store->names().refusal_of(target_of(path)))
        throw *refusal;
    if (visit.tree().look(std::string{site::parent_of(path)}).kind != Tree::Kind::folder)
        throw Refusal{Status::conflict, "The folder of this name is not there"};
}

void need_free_name(const Visit& visit, const std::string& path) {
    if (visit.tree().look(path).is_there())
        throw Refusal{Status::method_not_allowed, "The name is taken"};
    need_name(visit, path);
}

}  // namespace weir::dav
