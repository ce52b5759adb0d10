#pragma once

#include "weir/web/refusal.h"

namespace weir::upload {

/// The refusal for a system call that failed (errno) while a file was put into its folder.
web::Refusal refusal_of(int error);

/// The refusal for a system call that failed to find the folder.
web::Refusal refusal_of_folder(int error);

}  // namespace weir::upload
