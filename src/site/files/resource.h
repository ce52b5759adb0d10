#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/unique_fd.h"
#include "site/answer/content_coding.h"
#include "site/files/file_state.h"

namespace weir::site {

/// One file as it is sent: its bytes or its descriptor, and its header fields, rendered once.
struct Representation {
    Coding coding = Coding::identity;
    std::uint64_t size = 0;
    std::string body;    // of a small file
    net::UniqueFd file;  // of a large one
    std::string entity_tag;
    std::optional<std::int64_t> last_modified;  // Unix seconds; nothing where it lies in the future
    std::string content_type;

    /// All lines of a 200, in such an order that those of other answers are stretches of it:
    /// Last-Modified, Accept-Ranges | ETag, Cache-Control, Vary, rules' fields | content's fields.
    std::string fields;
    std::size_t tag_begin = 0;
    std::size_t content_begin = 0;

    std::string_view all_fields() const noexcept { return fields; }
    /// 304 (RFC 9110 15.4.5).
    std::string_view not_modified_fields() const noexcept {
        return all_fields().substr(tag_begin, content_begin - tag_begin);
    }
    /// Where the content is of another type: multipart/byteranges.
    std::string_view fields_but_content() const noexcept {
        return all_fields().substr(0, content_begin);
    }
    /// Where the file is shown in place of another: neither validators nor a time to live.
    std::string_view content_fields() const noexcept { return all_fields().substr(content_begin); }
};

/// A file that a resource was made from, or would have been, had it been there.
struct Fact {
    std::string path;                // relative; "" is the root
    std::optional<FileState> state;  // nothing where nothing was there
};

/// What a path stands for: one file, and what is beside it in other codings. Immutable, shared
/// between threads and with the answers under way.
struct Resource {
    std::string path;  // the key: as target_path() gives it, or a name of the site's own
    std::vector<Representation> representations;  // identity first
    CodingSet codings;

    std::vector<Fact> facts;
    /// Every change to the facts is reported; otherwise they are checked before each use.
    bool watched = false;

    // What it takes of the cache's bounds.
    std::size_t bytes = 0;
    std::size_t descriptors = 0;

    /// True while it is in the cache and nothing was heard of a change: it may be used without
    /// asking. Answers under way go on with it in any case.
    mutable std::atomic<bool> valid{false};
    /// Used since the cache last looked. Written only when it changes, so that threads which use
    /// the same resource do not fight for its cache line.
    mutable std::atomic<bool> used{false};

    bool is_valid() const noexcept { return valid.load(std::memory_order_acquire); }
    void set_valid(bool is) const noexcept { valid.store(is, std::memory_order_release); }
    void mark_used() const noexcept {
        if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
    }

    const Representation& in(Coding coding) const noexcept {
        for (const Representation& representation : representations)
            if (representation.coding == coding) return representation;
        return representations.front();
    }
};

}  // namespace weir::site
