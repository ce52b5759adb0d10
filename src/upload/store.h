#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "site/fields/entity_tag.h"
#include "site/fields/manifest_reader.h"
#include "site/root/root_directory.h"
#include "upload/conditions.h"
#include "upload/names.h"
#include "upload/new_file.h"
#include "upload/shared_mutex.h"
#include "weir/upload/upload.h"

namespace weir::upload {

/// A file that has been begun, and its future folder.
struct Begun {
    std::array<net::FileShare, 3> shares{};
    std::shared_ptr<const site::RootDirectory> root{};  // of the release that the file is for
    net::UniqueFd folder{};
    NewFile file{};
    std::uint64_t bytes_max = 0;  // below the limit of a file if the quota leaves less
};

enum class Put : std::uint8_t { made, replaced };

/// The folders of a site that accept files. Thread-safe; one store serves all forked processes.
/// Members without another note block, and throw web::Refusal.
class Store {
   public:
    /// The error is a sentence without its full stop.
    static std::expected<std::unique_ptr<Store>, std::string> open(const site::Options& site,
                                                                   const Options& options);

    /// Does not block.
    const Names& names() const noexcept { return names_; }

    using Root = std::shared_ptr<const site::RootDirectory>;

    /// `size`: in bytes, if it is known in advance. `root`: null for the present one.
    Begun begin(const Target& target, const Conditions& conditions,
                std::optional<std::uint64_t> size, Root root = nullptr);
    /// Gives the file of `size` bytes its name. If it throws, nothing has changed.
    Put finish(Begun& begun, const Target& target, const Conditions& conditions,
               std::uint64_t size);

    /// For each file whose conditions have no look of their own. To call before all others.
    void look_further(FurtherLook look) { further_ = std::move(look); }
    /// Held while a file gets its name.
    SharedMutex& mutex() noexcept { return mutex_; }
    /// The entity tag that the site makes. Empty if the file cannot be read: no condition names
    /// that.
    std::string tag_of(const Target& target, const site::RootDirectory& root);

    /// The refusal of more bytes than the quota, or a file, may have.
    web::Refusal refusal_of_size(std::uint64_t bytes_max) const;

   private:
    Store(const site::Options& site, const Options& options, SharedMutex mutex);

    std::string why_not_into(const std::string& folder) const;
    Root open_root() const;
    std::optional<std::uint64_t> look(const Target& target, const Begun& begun,
                                      const Conditions& conditions);
    bool stands_for_another(const Target& target, int folder) const;
    void look_further(const Target& target, const Conditions& conditions, int file,
                      bool replaces) const;
    std::uint64_t bytes_max_beside(std::uint64_t replaced) const;

    const site::Options site_;
    const std::uint64_t file_bytes_max_;
    const std::uint64_t quota_bytes_;
    const bool overwrites_;
    const Names names_;
    std::vector<std::string> paths_;  // of the folders
    site::EntityTags tags_;
    site::ManifestReader manifest_;
    SharedMutex mutex_;
    FurtherLook further_{};  // null: none
};

}  // namespace weir::upload
