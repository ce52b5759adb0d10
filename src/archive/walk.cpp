#include "archive/walk.h"

#include <utility>

#include "site/path/paths.h"

namespace weir::archive {

Walk::Walk(const site::RootDirectory& root, std::string folder, std::string name, bool dotfiles)
    : root_{root},
      dotfiles_{dotfiles},
      first_{Found{.member = {.name = std::move(name) + '/', .is_folder = true},
                   .path = std::move(folder)}} {}

std::expected<std::optional<Walk::Found>, std::error_code> Walk::next() {
    if (first_) {
        if (const auto error = enter(first_->path, first_->member.name))
            return std::unexpected{error};
        if (const auto state = root_.look(first_->path))
            first_->member.modified = state->state.modified.seconds;
        return std::exchange(first_, std::nullopt);
    }
    while (!levels_.empty()) {
        Level& level = levels_.back();
        if (level.at == level.entries.size()) {
            levels_.pop_back();
            continue;
        }
        const site::ListingEntry& entry = level.entries[level.at++];
        Found found{.member = {.name = level.name + entry.name,
                               .is_folder = entry.is_directory,
                               .size = entry.is_directory ? 0 : entry.size,
                               .modified = entry.modified},
                    .path = site::joined(level.path, entry.name)};
        if (!entry.is_directory) return found;
        found.member.name += '/';
        if (!may_enter(found.path)) continue;
        if (const auto error = enter(found.path, found.member.name)) return std::unexpected{error};
        return found;
    }
    return std::nullopt;
}

bool Walk::may_enter(const std::string& path) const {
    const auto found = root_.look(path);
    return found && !found->through_link;
}

std::error_code Walk::enter(std::string path, std::string name) {
    if (levels_.size() == depth_max) return std::make_error_code(std::errc::filename_too_long);
    auto listing = site::read_listing(root_, path, dotfiles_, entries_max);
    if (!listing) return listing.error();
    if (listing->cut) return std::make_error_code(std::errc::file_too_large);
    levels_.push_back(
        {.path = std::move(path), .name = std::move(name), .entries = std::move(listing->entries)});
    return {};
}

}  // namespace weir::archive
