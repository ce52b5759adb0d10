#include "site/listing/folder_reader.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "site/listing/listing_readme.h"

namespace weir::site {

std::expected<bool, std::error_code> FolderReader::advance() {
    if (is_read_) return merge_piece();
    if (const auto read = read_piece(); !read) return std::unexpected{read.error()};
    return is_read_ && begin_merge();
}

std::expected<void, std::error_code> FolderReader::read_piece() {
    const std::size_t begin = folder_.size();
    for (std::size_t i = 0; i < choice_.names_per_piece && !is_read_; ++i) {
        const auto goes_on = read_name();
        if (!goes_on)
            return std::unexpected{goes_on.error()};  // a part would look like the whole folder
        is_read_ = !*goes_on;
    }
    if (begin == folder_.size()) return {};
    auto& entries = folder_.entries_;
    std::sort(
        entries.begin() + static_cast<std::ptrdiff_t>(begin), entries.end(),
        [this](const auto& left, const auto& right) { return folder_.is_before(left, right); });
    runs_.push_back({.next = begin, .end = entries.size()});
    return {};
}

std::expected<bool, std::error_code> FolderReader::read_name() {
    const auto item = source_->next();
    if (!item) return std::unexpected{item.error()};
    if (!*item) {
        folder_.is_cut_ = source_->is_cut();
        return false;
    }
    const std::string_view name = (*item)->name;
    if (name == "." || name == ".." || (!choice_.dotfiles && name.starts_with('.'))) return true;
    if (name.size() > std::numeric_limits<decltype(Folder::Entry::length)>::max()) return true;
    if (folder_.size() == choice_.names_max) {
        folder_.is_cut_ = true;
        return false;
    }
    if (const auto added = add(**item); !added) return std::unexpected{added.error()};
    return true;
}

std::expected<void, std::error_code> FolderReader::add(const FolderItem& item) {
    using Kind = FolderItem::Kind;
    if (item.kind == Kind::other) return {};
    SortKey key{.name = item.name, .is_directory = item.kind == Kind::directory};
    if (item.kind == Kind::unknown || folder_.has_values()) {
        folder_.lasts_ =
            false;  // the state of the entry can change without a change of the directory
        const auto state = source_->look(item.name);
        if (!state) return std::unexpected{state.error()};
        if (!*state) return {};
        key.is_directory = (*state)->kind == FileKind::directory;
        key.value = choice_.order.by == ListingOrder::By::time
                        ? (*state)->modified.seconds
                        : static_cast<std::int64_t>((*state)->size);
        if (!key.is_directory) folder_.file_bytes_ += (*state)->size;
    }
    folder_.add(key);
    if (!key.is_directory) note_readme(item.name);
    return {};
}

void FolderReader::note_readme(std::string_view name) {
    if (is_better_readme(name, folder_.readme_)) folder_.readme_ = name;
}

/// Returns true if there is nothing to merge.
bool FolderReader::begin_merge() {
    if (runs_.size() < 2) return true;
    merged_.reserve(folder_.size());
    std::ranges::make_heap(
        runs_, [this](const Run& left, const Run& right) { return is_after(left, right); });
    return false;
}

bool FolderReader::is_after(const Run& left, const Run& right) const noexcept {
    return folder_.is_before(folder_.entries_[right.next], folder_.entries_[left.next]);
}

bool FolderReader::merge_piece() {
    const auto after = [this](const Run& left, const Run& right) { return is_after(left, right); };
    for (std::size_t i = 0; i < choice_.names_per_piece && !runs_.empty(); ++i) {
        std::ranges::pop_heap(runs_, after);
        Run& first = runs_.back();
        merged_.push_back(folder_.entries_[first.next++]);
        if (first.next == first.end)
            runs_.pop_back();
        else
            std::ranges::push_heap(runs_, after);
    }
    if (!runs_.empty()) return false;
    folder_.entries_ = std::move(merged_);
    return true;
}

}  // namespace weir::site
