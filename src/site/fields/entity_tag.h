#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "site/fields/manifest_reader.h"
#include "site/fields/shared_memo.h"
#include "site/root/file_state.h"
#include "site/types/content_coding.h"
#include "weir/site/site.h"

namespace weir::site {

/// A file as it was read.
struct TaggedFile {
    std::string_view path;
    const FileState& state;
    Coding coding = Coding::identity;
    std::optional<std::string_view> body{};  // of a small file; nothing if it is sent from `fd`
    int fd = -1;
    /// False if the file changed while it was read.
    bool whole = true;
    /// The manifest of the site; null if there is none.
    const ReadManifest* manifest = nullptr;
};

/// Makes the entity tags of files (RFC 9110 8.8.3), with their quotes. A tag is a hash, so it
/// discloses nothing. No two states of a file have the same tag while the process runs, although a
/// file can be rewritten within a tick of the clock, with the same size, and with its old time.
class EntityTags {
   public:
    explicit EntityTags(TagsFrom from) noexcept : from_{from} {}

    std::string tag_of(const TaggedFile& file, FileTime now);

    /// A larger file is not hashed: a loop serves no other connection meanwhile. A core of today takes
    /// a quarter of a millisecond for so many bytes.
    static constexpr std::uint64_t hashed_bytes_max = 1024 * 1024;

   private:
    std::optional<std::uint64_t> hash_of_content(const TaggedFile& file, FileTime now);
    std::optional<std::uint64_t> hash_by_manifest(const TaggedFile& file);
    std::string tag_without_content(const TaggedFile& file, FileTime now);

    const TagsFrom from_;
    SharedMemo memo_;
};

/// The same for content that was made for one answer. It differs if a byte does.
std::string entity_tag(std::string_view content);

}  // namespace weir::site
