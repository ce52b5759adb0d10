#pragma once

#include <memory>

#include "weir/http/handler.h"
#include "weir/web/ready_middleware.h"

namespace weir::rules {

/// A handler that adds the fields of web::SecurityHeaders to each response of `inner` that does not
/// have them. `inner` must outlive it. Responses through http::Deferred are not changed. Throws
/// std::invalid_argument for a value with a control character.
std::unique_ptr<http::Handler> add_security_headers(http::Handler& inner,
                                                    web::SecurityHeaders headers = {});

}  // namespace weir::rules
