#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "archive/archive_format.h"
#include "archive/walk.h"
#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "weir/http/response.h"

namespace weir::archive {

/// The bytes of an archive, as fast as the peer takes them. It has one file open at a time. A file
/// that can't be read, or that is shorter than it was for a format that has promised its size, ends
/// the content early, so that the peer sees that the archive is not whole.
class ArchiveSource final : public http::Source {
   public:
    /// `root` must outlive it.
    ArchiveSource(const site::RootDirectory& root, Walk walk, std::unique_ptr<Format> format)
        : root_{root}, walk_{std::move(walk)}, format_{std::move(format)} {}

    Pulled pull(std::span<char> into) override;

   private:
    bool go_on();
    bool open(const std::string& path);
    std::optional<std::size_t> read(std::span<char> into);
    std::size_t take_text(std::span<char> into);

    const site::RootDirectory& root_;
    Walk walk_;
    std::unique_ptr<Format> format_;
    std::string text_;  // of the format, not given yet from `given_` on
    std::size_t given_ = 0;
    Member member_;
    net::UniqueFd file_;
    net::FileShare share_;
    std::uint64_t read_ = 0;
    bool is_finished_ = false;
};

}  // namespace weir::archive
