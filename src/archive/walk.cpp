#include "archive/walk.h"

#include <utility>

#include "site/path/paths.h"

namespace weir::archive {

using site::FileKind;
using site::FolderItem;

Walk::Walk(std::shared_ptr<const site::RootDirectory> root, std::string folder, Choice choice)
    : root_{std::move(root)}, choice_{std::move(choice)}, first_{std::move(folder)} {}

std::expected<Walk::Step, std::error_code> Walk::next(Found& found) {
    if (first_) return enter(*std::exchange(first_, std::nullopt));
    if (levels_.empty()) return Step::end;
    const auto item = levels_.back().source->next();
    if (!item) return std::unexpected{item.error()};
    if (*item) return visit(**item, found);
    levels_.pop_back();
    return levels_.empty() ? Step::end : Step::nothing;
}

std::expected<Walk::Step, std::error_code> Walk::visit(const FolderItem& item, Found& found) {
    if (item.kind == FolderItem::Kind::other) return Step::nothing;
    std::string path = site::joined(levels_.back().path, item.name);
    if (!may_have(item.name, path)) return Step::nothing;
    const auto seen = root_->look(path);
    if (!seen && !site::is_fact(seen.error().error)) return std::unexpected{seen.error().error};
    if (!seen || seen->state.kind == FileKind::other) return Step::nothing;
    const bool is_folder = seen->state.kind == FileKind::directory;
    if (is_folder && seen->through_link) return Step::nothing;
    found = {.path = path, .state = seen->state};
    return is_folder ? enter(std::move(path)) : Step::found;
}

bool Walk::may_have(std::string_view name, const std::string& path) const {
    if (name == "." || name == ".." || (!choice_.dotfiles && name.starts_with('.'))) return false;
    return !choice_.leaves_out || !choice_.leaves_out(path);
}

/// A folder that nobody may read has no content.
std::expected<Walk::Step, std::error_code> Walk::enter(std::string path) {
    if (levels_.size() == depth_max)
        return std::unexpected{std::make_error_code(std::errc::filename_too_long)};
    auto source = site::open_folder(root_, path);
    if (!source && !site::is_fact(source.error())) return std::unexpected{source.error()};
    const bool is_first = levels_.empty();
    if (source) levels_.push_back({.path = std::move(path), .source = std::move(*source)});
    return is_first ? Step::nothing : Step::found;
}

}  // namespace weir::archive
