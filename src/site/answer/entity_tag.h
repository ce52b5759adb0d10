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

/// The same for content that was made for one answer. It differs if a byte does.
std::string entity_tag(std::string_view content);

/// False if the file may still change without a change of its times: the kernel's clock for files
/// ticks only every 1 to 10 ms. An entity tag made at such a moment gets a nonce, so that it is
/// valid for one answer only.
bool is_settled(const FileState& state, FileTime now) noexcept;

}  // namespace weir::site
