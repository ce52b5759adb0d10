#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "site/answer/content_coding.h"
#include "site/files/file_state.h"

namespace weir::site {

/// A strong entity tag (RFC 9110 8.8.3), with its quotes: another one for each state of a file, be
/// it rewritten within the same second, with its size unchanged or its modification time restored.
/// Device and inode are mixed in, not shown. `nonce`: see is_settled().
std::string entity_tag(const FileState& state, Coding coding, std::uint64_t nonce);

/// False where the file may change once more without its times telling: the kernel's clock for
/// files ticks every 1 to 10 ms. A tag made at such a moment gets a nonce, so that it stands for
/// this one look at the file and no other.
bool is_settled(const FileState& state, FileTime now) noexcept;

enum class Comparison : std::uint8_t { strong, weak };

/// RFC 9110 8.8.3.2, for one tag as a field has it; `own` is strong.
bool tags_match(std::string_view tag, std::string_view own, Comparison comparison) noexcept;

/// Whether a field line of If-Match or If-None-Match ("*" or a list) names `own`. What is not a tag
/// matches nothing.
bool line_matches(std::string_view line, std::string_view own, Comparison comparison) noexcept;

}  // namespace weir::site
