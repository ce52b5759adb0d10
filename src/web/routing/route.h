#pragma once

#include <memory>
#include <vector>

#include "web/routing/pattern.h"
#include "weir/web/router.h"

namespace weir::web::detail {

/// A pattern and what answers its requests.
struct Route {
    Pattern pattern;
    std::shared_ptr<Endpoint> endpoint;  // its coroutines share it: they use what it captured
    std::vector<Middleware*> chain{};    // the outermost first
    bool is_plain = false;  // nothing is to be done but to call the handler, if there is no content

    bool is_mounted() const noexcept { return endpoint->form == Endpoint::Form::mounted; }
};

}  // namespace weir::web::detail
