#pragma once

#include "fuzz/plain/site.h"

namespace weir::tests::plain {

/// What CORS for `cors_origin` alone adds to an answer (Fetch Standard, "CORS protocol";
/// docs/serve.md). Without `allowed`, nothing may be added.
void add_cors(Expected& expected, const Request& request, bool allowed);

}  // namespace weir::tests::plain
