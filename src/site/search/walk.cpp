#include "site/search/walk.h"

#include <utility>

#include "site/path/paths.h"

namespace weir::site {

Walk::Walk(std::shared_ptr<const RootDirectory> root, std::string folder, Choice choice)
    : root_{std::move(root)}, choice_{std::move(choice)}, first_{std::move(folder)} {}

Walk::Choice Walk::choice_of(const Options& options, std::string folder, std::string asked) {
    Choice choice{.dotfiles = options.dotfiles};
    if (options.leaves_out)
        choice.leaves_out = [&leaves_out = options.leaves_out, folder = std::move(folder),
                             asked = std::move(asked)](std::string_view path) {
            return leaves_out({.folder = folder, .asked = asked, .path = path});
        };
    return choice;
}

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
    std::string path = joined(levels_.back().path, item.name);
    if (!may_have(item.name, path)) return Step::nothing;
    const auto kind = kind_of(item.kind, path);
    if (!kind) return std::unexpected{kind.error()};
    if (!*kind) return Step::nothing;
    found = {.path = path, .kind = **kind};
    return found.kind == Kind::folder ? enter(std::move(path)) : Step::found;
}

/// Examines the entry only if the folder does not tell its kind. Null: no client can fetch it.
std::expected<std::optional<Walk::Kind>, std::error_code> Walk::kind_of(
    FolderItem::Kind said, const std::string& path) const {
    if (said == FolderItem::Kind::directory) return Kind::folder;
    if (said == FolderItem::Kind::file) return Kind::file;
    const auto seen = root_->look(path);
    if (!seen && !is_fact(seen.error().error)) return std::unexpected{seen.error().error};
    if (!seen || seen->state.kind == FileKind::other) return std::nullopt;
    if (seen->state.kind != FileKind::directory) return Kind::file;
    return seen->through_link ? Kind::link_to_folder : Kind::folder;
}

bool Walk::may_have(std::string_view name, const std::string& path) const {
    if (name == "." || name == ".." || (!choice_.dotfiles && name.starts_with('.'))) return false;
    return !choice_.leaves_out || !choice_.leaves_out(path);
}

/// A folder that may not be read counts as empty.
std::expected<Walk::Step, std::error_code> Walk::enter(std::string path) {
    if (levels_.size() == depth_max)
        return std::unexpected{std::make_error_code(std::errc::filename_too_long)};
    auto source = open_folder(root_, path);
    if (!source && !is_fact(source.error())) return std::unexpected{source.error()};
    const bool is_first = levels_.empty();
    if (source) levels_.push_back({.path = std::move(path), .source = std::move(*source)});
    return is_first ? Step::nothing : Step::found;
}

}  // namespace weir::site
