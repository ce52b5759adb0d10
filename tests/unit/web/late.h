#pragma once

#include <utility>

#include "weir/http/handler.h"
#include "weir/web/response.h"

namespace weir::web {

/// Answers the second time that it is resumed.
struct Late final : http::Continuation {
    explicit Late(http::Waker of) noexcept : waker{std::move(of)} {}
    http::Reply resume() override {
        if (has_begun) return text("late");
        has_begun = true;
        waker.wake();
        return http::Later{};
    }
    http::Waker waker;
    bool has_begun = false;
};

}  // namespace weir::web
