#include "site/fields/entity_tag.h"

#include <algorithm>
#include <charconv>

#include "base/file_date.h"
#include "site/fields/content_hash.h"
#include "site/root/root_directory.h"

namespace weir::site {

namespace {

/// Distinguishes the hashes of the manifest from the other values of the memo.
constexpr std::uint64_t of_manifest = 1;

/// Unique: the clock moves on before the file is read again.
std::uint64_t nonce(FileTime now) noexcept { return digest_of(now); }

void append_hex(std::string& out, std::uint64_t value) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    out.append(digits, end);
}

std::string rendered(std::uint64_t size, std::uint64_t sum, bool is_weak = false) {
    std::string tag = is_weak ? "W/\"" : "\"";
    append_hex(tag, size);
    tag += '-';
    append_hex(tag, sum);
    tag += '"';
    return tag;
}

std::string rendered(const TaggedFile& file, std::uint64_t sum, bool is_weak = false) {
    return rendered(file.state.size, digest({sum, static_cast<std::uint64_t>(file.coding)}),
                    is_weak);
}

/// True if the manifest was written after the last change of the file. Programs can set the time of
/// the modification, but only the kernel sets the time of a change.
bool is_after(const FileState& manifest, const FileState& file) noexcept {
    return file.changed < std::min(manifest.modified, manifest.changed);
}

/// The file was written within the last ticks of the clock. A time that was set later says nothing.
bool is_just_written(const FileState& state, FileTime now) noexcept {
    FileState written = state;
    written.changed = state.modified;
    return !is_settled(state, now) && !is_settled(written, now);
}

}  // namespace

std::string EntityTags::tag_of(const TaggedFile& file, FileTime now) {
    if (from_ == TagsFrom::inode) {
        const bool lasts = file.whole && is_settled(file.state, now);
        return rendered(file, digest({identity_of(file.state), lasts ? 0 : nonce(now)}));
    }
    const auto content = hash_of_content(file, now);
    if (!content) return tag_without_content(file, now);
    if (from_ == TagsFrom::content || !is_date_of_file(file.state.modified.seconds))
        return rendered(file, *content);
    const std::uint64_t sum = digest({*content, digest_of(file.state.modified)});
    if (is_just_written(file.state, now)) return rendered(file, digest({sum, nonce(now)}), true);
    return rendered(file, sum);
}

/// Nothing if the file is too large, or changed meanwhile.
std::optional<std::uint64_t> EntityTags::hash_of_content(const TaggedFile& file, FileTime now) {
    if (!file.whole) return std::nullopt;
    if (file.body) return hash_of(*file.body);
    if (file.state.size > hashed_bytes_max) return std::nullopt;
    const std::uint64_t identity = identity_of(file.state);
    const bool lasts = is_settled(file.state, now);
    if (const auto known = lasts ? memo_.find(identity) : std::nullopt) return known;
    const auto hash = hash_of_file(file.fd, file.state.size);
    const auto after = file_state(file.fd);
    if (!hash || !after || *after != file.state) return std::nullopt;
    return lasts ? memo_.keep(identity, *hash).value_or(*hash) : *hash;
}

/// Time and size name the first such file that was seen at the path. Another one with the same time
/// and size, or the same one after any change, gets a tag of its own.
std::string EntityTags::tag_without_content(const TaggedFile& file, FileTime now) {
    const std::uint64_t identity = identity_of(file.state);
    if (!file.whole || !is_settled(file.state, now))
        return rendered(file, digest({identity, nonce(now)}), true);
    if (const auto hash = hash_by_manifest(file)) return rendered(file, *hash);
    if (!is_date_of_file(file.state.modified.seconds)) return rendered(file, identity);
    const std::uint64_t version =
        digest({hash_of(file.path), file.state.size, digest_of(file.state.modified)});
    if (memo_.keep(version, identity) != identity) return rendered(file, identity);
    return rendered(file, digest_of(file.state.modified));
}

/// Returns the hash that the manifest has for the file; nothing if the hash may belong to another
/// state of the file.
///
/// If the file was modified after the manifest, the hash belongs to an older state. If it was
/// modified before, that proves nothing, because the time can be put back. So the hash counts in two
/// cases only:
/// - The file is the first one that is seen at its path with this hash, while the manifest lies in
///   this folder. A new folder gives no better evidence: its files may have been copied after the
///   manifest, with their times.
/// - The manifest was written after the last change of the file, so its author saw this state. A
///   file that is rewritten and gets its time back has a tag of its own until then.
/// A folder that replaces the root brings its own manifest. A second hash for the same state of a
/// file never counts: a deployment may replace the manifest before the files.
std::optional<std::uint64_t> EntityTags::hash_by_manifest(const TaggedFile& file) {
    if (file.manifest == nullptr || is_older(file.manifest->state, file.state)) return std::nullopt;
    const auto hash = file.manifest->hashes.find(file.path);
    if (!hash) return std::nullopt;
    const std::uint64_t identity = identity_of(file.state);
    const std::uint64_t believed = digest({identity, of_manifest});
    if (memo_.find(believed).value_or(*hash) != *hash) return std::nullopt;
    const FileState& folder = file.manifest->folder;
    const std::uint64_t version =
        digest({folder.device, folder.inode, hash_of(file.path), file.state.size, *hash});
    const bool is_first = memo_.keep(version, identity) == identity;
    if (!is_first && !is_after(file.manifest->state, file.state)) return std::nullopt;
    return memo_.keep(believed, *hash) == *hash ? hash : std::nullopt;
}

std::string entity_tag(std::string_view content) {
    return rendered(content.size(), hash_of(content));
}

}  // namespace weir::site
