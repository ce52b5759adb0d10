#include "site/search/found_names.h"

#include <string_view>

#include "site/path/paths.h"

namespace weir::site {
namespace {

std::string_view last_of(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

FolderItem::Kind kind_of(Walk::Kind kind) noexcept {
    return kind == Walk::Kind::file ? FolderItem::Kind::file : FolderItem::Kind::directory;
}

}  // namespace

/// Skips a folder that is too deep.
std::expected<std::optional<FolderItem>, std::error_code> FoundNames::next() {
    constexpr FolderItem nothing{.name = {}, .kind = FolderItem::Kind::other};
    if (++names_ > names_max) return end_early();
    const auto step = walk_.next(found_);
    if (!step && step.error() == std::errc::filename_too_long) {
        is_cut_ = true;
        return nothing;
    }
    if (!step) return std::unexpected{step.error()};
    if (*step == Walk::Step::end) return std::nullopt;
    if (*step == Walk::Step::nothing || !words_.are_in(last_of(found_.path))) return nothing;
    const std::size_t above = folder_.empty() ? 0 : folder_.size() + 1;
    return FolderItem{.name = std::string_view{found_.path}.substr(above),
                      .kind = kind_of(found_.kind)};
}

std::expected<std::optional<FolderItem>, std::error_code> FoundNames::end_early() {
    is_cut_ = true;
    return std::nullopt;
}

std::expected<std::optional<FileState>, std::error_code> FoundNames::look(std::string_view name) {
    return look_at_entry(*root_, joined(folder_, name));
}

std::expected<FileState, std::error_code> FoundNames::state() const {
    const auto seen = root_->look(folder_);
    if (!seen) return std::unexpected{seen.error().error};
    return seen->state;
}

}  // namespace weir::site
