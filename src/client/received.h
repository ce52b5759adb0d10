#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "client/asking.h"

namespace weir::web::detail {

/// A response, from its head on.
struct Received {
    Received(std::unique_ptr<Asking> of, std::uint64_t collects_max)
        : asking{std::move(of)}, bytes_max{collects_max} {}

    const upstream::Answered& answer() const noexcept { return asking->exchange().answer(); }

    const std::unique_ptr<Asking> asking;
    const std::string url = asking->url().text();
    const std::uint64_t bytes_max;  // that all() collects
    std::string piece;              // valid until the next one is taken
};

}  // namespace weir::web::detail
