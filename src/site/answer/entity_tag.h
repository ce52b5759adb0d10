#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "site/answer/content_coding.h"
#include "site/files/file_state.h"

namespace weir::site {

/// A strong entity tag (RFC 9110 8.8.3), with its quotes. It differs for each state of a file, even
/// if the file was rewritten within the same second, with the same size or with its modification
/// time restored. It hashes device and inode, so it does not disclose them. `nonce`: see
/// is_settled().
std::string entity_tag(const FileState& state, Coding coding, std::uint64_t nonce);

/// The same for content. It differs if a byte does, and is the same on every machine.
std::string entity_tag(std::string_view content);

/// The same for content that comes in pieces.
class ContentSum {
   public:
    /// Of all pieces but the last, the size is a multiple of 8.
    void add(std::string_view piece) noexcept;
    std::string entity_tag() const;

   private:
    std::uint64_t size_ = 0;
    std::uint64_t sum_ = 0;
};

/// The same for a file of which nobody wants to read all. It differs if the size or the modification
/// time does, and is the same on every machine where these are the same.
std::string dated_entity_tag(const FileState& state, Coding coding);

/// False if the file may still change without a change of its times: the kernel's clock for files
/// ticks only every 1 to 10 ms. An entity tag made at such a moment gets a nonce, so that it is
/// valid for one answer only.
bool is_settled(const FileState& state, FileTime now) noexcept;

}  // namespace weir::site
