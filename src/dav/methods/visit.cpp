#include "dav/methods/visit.h"

#include <utility>

#include "dav/request/fault.h"
#include "http/answer/entity_tags.h"

namespace weir::dav {

using http::Status;
using web::Refusal;

namespace {

/// At the path of a file with a slash behind it there is nothing, as for GET.
Tree::Seen seen_at(const Tree& tree, const Asked& asked) {
    const Tree::Seen seen = tree.look(asked.path);
    return seen.kind == Tree::Kind::file && asked.ends_with_slash ? Tree::Seen{} : seen;
}

}  // namespace

/// The rules of other handlers have judged the path of the request as it is written: a rule may be
/// for the folder with its slash alone.
Visit::Visit(Desk& desk, const Asked& asked)
    : desk_{desk},
      asked_{asked},
      tree_{desk, asked.kept_back(desk, asked.path)},
      seen_{seen_at(tree_, asked)} {
    if (desk.site.leaves_out && seen_.kind == Tree::Kind::folder && !asked.ends_with_slash)
        throw Refusal{Status::forbidden,
                      "This site has rules for paths, so the address of a folder needs its slash"};
}

void Visit::need_something() const {
    if (!seen_.is_there()) throw Refusal{Status::not_found, "There is no such file or folder"};
}

void Visit::need_lockable() const {
    if (seen_.kind == Tree::Kind::barred)
        throw Refusal{Status::forbidden, "Nothing of this name can be locked"};
    if (!seen_.is_there() && asked_.ends_with_slash)
        throw Refusal{Status::conflict, "There is no such folder"};
}

void Visit::need_conditions() const {
    const auto fails = [](const char* why) { throw Refusal{Status::precondition_failed, why}; };
    const upload::Conditions::File file{.entity_tag = [this] { return tag_of(asked_.path, seen_); },
                                        .modified = seen_.state.modified.seconds};
    if (!asked_.conditions.hold_for(seen_.is_there() ? &file : nullptr))
        fails("It is not the one that was meant");
    if (!asked_.condition) return;
    if (!asked_.condition->hold([this](const std::string& resource, const auto& condition) {
            return holds(resource, condition);
        }))
        fails("No list of the field If holds");
}

bool Visit::holds(const std::string& resource, const IfField::Condition& condition) const {
    std::string path = asked_.path;
    if (!resource.empty()) {
        auto other = asked_.path_of(resource);
        if (!other || !desk_.takes(*other) || (desk_.site.leaves_out && *other != path))
            return false;
        path = std::move(*other);
    }
    if (!condition.is_tag) return desk_.locks.find(condition.text, path, now()).has_value();
    const Tree::Seen seen = path == asked_.path ? seen_ : tree_.look(path);
    const std::string tag = tag_of(path, seen);
    return !tag.empty() && http::tags_match(condition.text, tag, http::Comparison::weak);
}

void Visit::need_removable(const std::string& path, const Tree::Entries& below) const {
    if (desk_.stays(path))
        throw Refusal{Status::forbidden, "This folder itself can be neither removed nor replaced"};
    if (below.has_barred)
        throw Refusal{Status::forbidden,
                      "The folder has something that may not be changed from here"};
}

std::vector<Failure> Visit::locked_below(const std::string& path) const {
    std::vector<Failure> failures;
    for (const Lock& each : rights().missing_below(path))
        failures.push_back({.path = each.path,
                            .is_folder = each.is_folder,
                            .status = locked,
                            .condition = missing_token(asked_, each.path, each.is_folder)});
    return failures;
}

std::string Visit::tag_of(const std::string& path, const Tree::Seen& seen) const {
    if (seen.kind != Tree::Kind::file) return {};
    return desk_.store->tag_of(target_of(path), *tree_.root());
}

}  // namespace weir::dav
