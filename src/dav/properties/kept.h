#pragma once

#include "dav/properties/dead_properties.h"

namespace weir::dav {

/// Dead properties are kept in an extended attribute of their file, which goes with the file when
/// that is moved. Each function gets a file or a folder that is open, and blocks.

/// Returns none where the file system has no extended attributes. Throws web::Refusal if they
/// cannot be read: a caller that took this for none would write fewer than there are.
DeadProperties read_properties(int fd);

/// Replaces all at once. Returns the errno; 0 if they are kept.
int write_properties(int fd, const DeadProperties& properties) noexcept;

/// Gives `to` the properties of `from`, as far as the file system of `to` keeps some. Throws
/// web::Refusal.
void copy_properties(int from, int to);

}  // namespace weir::dav
