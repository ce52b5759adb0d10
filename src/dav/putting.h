#pragma once

#include "dav/methods/asked.h"
#include "dav/tree/desk.h"
#include "upload/conditions.h"
#include "upload/naming.h"

namespace weir::dav {

/// The conditions of a PUT: those of RFC 9110, If, and the locks. A file that is replaced keeps its
/// properties (RFC 4918 9.7.1). Both must outlive the result.
upload::Conditions conditions_of_put(Desk& desk, const Asked& asked);

/// The look at a file of a form, which can submit no token.
upload::FurtherLook look_at_forms(Desk& desk);

}  // namespace weir::dav
