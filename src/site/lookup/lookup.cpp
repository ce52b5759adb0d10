#include "site/lookup/lookup.h"

#include <algorithm>
#include <cerrno>

#include "site/path/paths.h"

namespace weir::site {

namespace {

std::expected<RootDirectory::Found, RootDirectory::Missing> look_in(const RootDirectory& root,
                                                                    const std::string& path,
                                                                    bool even_hidden) {
    return even_hidden ? root.look_even_hidden(path) : root.look(path);
}

/// The part of a state that matters to a resource. For a directory, only its identity matters:
/// entries come and go without any effect on the file in question.
FileState noted(const FileState& state) {
    if (state.kind != FileKind::directory) return state;
    return {.kind = state.kind, .device = state.device, .inode = state.inode};
}

/// True if a watch of the directories above reports when this changes. Other errors depend on the
/// target of a link, or on permissions on the way.
bool is_reported(const RootDirectory::Missing& missing) noexcept {
    const int error = missing.error.value();
    return !missing.through_link && (error == ENOENT || error == ENOTDIR);
}

}  // namespace

void Lookup::watch(std::string_view directory) {
    switch (watcher_.watch(root_, std::string{directory})) {
        case Watcher::Watch::reports: break;
        case Watcher::Watch::failed: watch_failed_ = true; [[fallthrough]];
        case Watcher::Watch::impossible: watched_ = false; break;
    }
}

std::expected<FileState, std::error_code> Lookup::look(const std::string& path, bool even_hidden) {
    for_each_directory_above(path, [&](std::string_view directory) {
        if (watched_) watch(directory);
    });
    const auto found = look_in(root_, path, even_hidden);
    if (!found) {
        note(found.error().error);
        watched_ = watched_ && is_reported(found.error());
        dependencies_.push_back({path, std::nullopt, even_hidden});
        return std::unexpected{found.error().error};
    }
    // A file behind a link, or with several hard links, can change in a directory that is not
    // watched.
    const bool other_names = found->state.kind == FileKind::regular && found->state.links > 1;
    if (found->through_link || other_names) watched_ = false;
    dependencies_.push_back({path, noted(found->state), even_hidden});
    return found->state;
}

bool are_current(const std::vector<FileDependency>& dependencies, const RootDirectory& root) {
    return std::ranges::all_of(dependencies, [&](const FileDependency& dependency) {
        const auto found = look_in(root, dependency.path, dependency.even_hidden);
        return dependency.state ? found && noted(found->state) == *dependency.state
                                : !found && is_fact(found.error().error);
    });
}

}  // namespace weir::site
