#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/hpack/prepared_fields.h"
#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "site/root/file_state.h"
#include "site/types/content_coding.h"

namespace weir::site {

/// One file as the site sends it: its bytes or its descriptor, and its rendered header fields.
struct Representation {
    Coding coding = Coding::identity;
    std::uint64_t size = 0;
    std::string body;                           // content of a small file
    net::UniqueFd file;                         // descriptor of a large file
    net::FileShare file_share;                  // counts the descriptor as long as the file is open
    std::string entity_tag;                     // strong, or weak with a nonce
    std::optional<std::int64_t> last_modified;  // Unix seconds; see last_modified_of()
    std::string content_type;
    std::string_view content_encoding;  // empty: none

    /// All field lines of a 200. Their order makes the fields of other responses substrings:
    /// Last-Modified, Accept-Ranges | ETag, Cache-Control, Vary, fields of rules | fields of the
    /// content.
    http::PreparedFields fields;
    http::PreparedFields::Mark tag_begin;
    http::PreparedFields::Mark content_begin;

    void lend_all_fields(http::Response& to) const { fields.lend(to); }
    /// For a 304 (RFC 9110 15.4.5).
    void lend_not_modified_fields(http::Response& to) const {
        fields.lend(to, tag_begin, content_begin);
    }
    /// For content of another type: multipart/byteranges.
    void lend_fields_but_content(http::Response& to) const {
        fields.lend(to, fields.begin(), content_begin);
    }
    /// For a file that is sent in place of another, without validators and Cache-Control.
    void lend_content_fields(http::Response& to) const {
        fields.lend(to, content_begin, fields.end());
    }
};

/// A file that a resource was made from, or a path that did not exist but would have mattered.
struct FileDependency {
    std::string path;                // relative; "" is the root
    std::optional<FileState> state;  // nothing if the file did not exist
    bool even_hidden = false;        // also a file that is hidden from clients
};

/// The content behind a path: one file, and its precompressed variants. Immutable; shared between
/// threads and responses under way.
struct Resource {
    std::string path;  // the cache's key: a path from target_path(), or a name that the site chose
    std::vector<Representation> representations;  // identity first
    CodingSet codings;

    std::vector<FileDependency> dependencies;
    /// True if every change to the dependencies is reported. Otherwise the dependencies are checked before each
    /// use.
    bool watched = false;

    // The resource's share of the cache's limits.
    std::size_t bytes = 0;
    std::size_t descriptors = 0;

    /// True while the resource is in the cache, no change was reported, and the time of its next
    /// check has not come: it may then be used without another check. Responses under way keep
    /// using it in any case.
    mutable std::atomic<bool> valid{false};
    /// True if the resource was used since the cache's hand last passed. Written only when it
    /// changes, so that threads that use the same resource do not contend for its cache line.
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
