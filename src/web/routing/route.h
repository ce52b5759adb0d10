#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "web/routing/pattern.h"
#include "weir/web/error.h"
#include "weir/web/router.h"

namespace weir::web::detail {

/// The parts of a router that all its requests need.
struct Common {
    AbandonedJobs jobs;
    std::function<std::optional<Response>(const Error&)> on_error{};  // may be empty
};

/// Middleware on the way of a request.
struct Step {
    std::shared_ptr<Middleware> middleware;
    Around* around = nullptr;  // the same, if it waits for the response itself
};

/// A pattern and the endpoint for its requests. Coroutines share it: they use the captures of its
/// functions.
struct Route : std::enable_shared_from_this<Route> {
    Route(Pattern own, std::unique_ptr<Endpoint> its, Common& of)
        : pattern{std::move(own)}, endpoint{std::move(its)}, common{&of} {}

    Pattern pattern;
    std::unique_ptr<Endpoint> endpoint;
    std::vector<Step> chain{};    // the outermost first
    Common* common;               // the router's
    bool may_lack_slash = false;  // its requests may be those of a longer pattern with a slash
    bool is_plain = false;        // a request without content needs only the call of the handler

    bool is_mounted() const noexcept { return endpoint->form == Endpoint::Form::mounted; }
    /// The middleware at `index`, if there is one that waits for the response itself.
    Around* around(std::size_t index) const noexcept {
        return index < chain.size() ? chain[index].around : nullptr;
    }
};

}  // namespace weir::web::detail
