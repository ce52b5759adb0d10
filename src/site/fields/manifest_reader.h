#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "site/fields/hash_manifest.h"
#include "site/fields/shared_memo.h"
#include "site/root/root_directory.h"
#include "weir/site/site.h"

namespace weir::site {

struct ReadManifest {
    HashManifest hashes{};
    FileState state{};
    FileState folder{};  // of the manifest
};

/// Reads the manifest of a site before a large file enters the cache, and again if the manifest has
/// changed since. Any thread may call it.
class ManifestReader {
   public:
    explicit ManifestReader(TagsManifest options)
        : options_{std::move(options)}, told_{tells() ? SharedMemo::slots_max : 0} {}

    /// Returns why the options are wrong; empty if they are right.
    static std::string refusal_of(const Options& options);

    bool is_on() const noexcept { return !options_.file.empty(); }
    /// Relative to the root.
    const std::string& path() const noexcept { return options_.file; }

    /// Returns the manifest for the tag of the file at `path`, which was opened below `root` in the
    /// state `file`. Null if there is none, if it has just been written, or if the file has changed.
    std::shared_ptr<const ReadManifest> read_for(const std::string& path, const FileState& file,
                                                 const RootDirectory& root, FileTime now);

    static constexpr std::uint64_t bytes_max = 16 * 1024 * 1024;

    // For fork(2).
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

   private:
    using Read = std::shared_ptr<const ReadManifest>;

    bool tells() const noexcept { return is_on() && options_.notice; }
    Read read(const RootDirectory& root, FileTime now);
    Read read_anew(const RootDirectory& root, const FileState& state, const FileState& folder);
    Read kept();
    Read keep(ReadManifest manifest);
    void tell(const HashManifest& hashes, const FileState& state);
    void tell_unreadable(std::string_view reason);

    const TagsManifest options_;
    SharedMemo told_;
    std::mutex mutex_;
    Read kept_;  // guarded by the mutex
};

}  // namespace weir::site
