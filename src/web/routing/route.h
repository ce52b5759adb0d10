#pragma once

#include <memory>
#include <vector>

#include "web/routing/pattern.h"
#include "weir/web/router.h"

namespace weir::web::detail {

/// A pattern and the endpoint for its requests.
struct Route {
    Pattern pattern;
    std::shared_ptr<Endpoint> endpoint;  // shared with its coroutines, which use its captures
    std::vector<Middleware*> chain{};    // the outermost first
    AbandonedJobs* jobs = nullptr;       // the router's; null where the router answers itself
    bool is_plain = false;  // a request without content needs only the call of the handler

    bool is_mounted() const noexcept { return endpoint->form == Endpoint::Form::mounted; }
};

}  // namespace weir::web::detail
