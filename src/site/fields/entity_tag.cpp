#include "site/fields/entity_tag.h"

#include <charconv>

#include "base/file_date.h"
#include "site/fields/content_hash.h"
#include "site/root/root_directory.h"

namespace weir::site {

namespace {

std::uint64_t bits(std::int64_t value) noexcept { return static_cast<std::uint64_t>(value); }

std::uint64_t digest_of(FileTime time) noexcept {
    return digest({bits(time.seconds), bits(time.nanoseconds)});
}

/// Differs whenever the file changes, and from one file to another.
std::uint64_t identity_of(const FileState& state) noexcept {
    return digest({state.device, state.inode, state.size, digest_of(state.modified),
                   digest_of(state.changed)});
}

/// Unique: the clock moves on before the file is read again.
std::uint64_t nonce(FileTime now) noexcept {
    return bits(now.seconds) * 1'000'000'000 + bits(now.nanoseconds);
}

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
    if (!is_date_of_file(file.state.modified.seconds)) return rendered(file, identity);
    const std::uint64_t version =
        digest({hash_of(file.path), file.state.size, digest_of(file.state.modified)});
    if (memo_.keep(version, identity) != identity) return rendered(file, identity);
    return rendered(file, digest_of(file.state.modified));
}

std::string entity_tag(std::string_view content) {
    return rendered(content.size(), hash_of(content));
}

bool is_settled(const FileState& state, FileTime now) noexcept {
    return has_settled({state.changed.seconds, state.changed.nanoseconds},
                       {now.seconds, now.nanoseconds});
}

}  // namespace weir::site
