#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

#include "site/answer/content_coding.h"
#include "site/files/file_state.h"

namespace weir::site {

/// Larger files are not read for their tag: an event loop would serve nobody meanwhile. 1 MiB takes
/// about a millisecond.
constexpr std::uint64_t tagged_bytes_max = 1024 * 1024;

/// The entity tag of an open file by its content, or by its size and modification time if it is
/// large: servers with the same files give the same tags. Empty if the file is not as long as
/// `state` says, so that it changes at this moment.
std::expected<std::string, std::error_code> content_tag(int fd, const FileState& state,
                                                        Coding coding);

}  // namespace weir::site
