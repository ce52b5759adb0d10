#pragma once

#include "weir/web/refusal.h"

namespace weir::upload {

/// What a peer is told of a system call that failed (errno) while its file was put into the folder.
web::Refusal refusal_of(int error);

/// The same for finding the folder.
web::Refusal refusal_of_folder(int error);

}  // namespace weir::upload
