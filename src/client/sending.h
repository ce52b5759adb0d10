#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "client/asking.h"

namespace weir::web::detail {

/// A request whose content is written, until its response.
struct Sending {
    Sending(std::unique_ptr<Asking> of, std::optional<std::uint64_t> size,
            std::uint64_t collects_max) noexcept
        : asking{std::move(of)}, left{size}, bytes_max{collects_max} {}

    std::unique_ptr<Asking> asking;
    std::optional<std::uint64_t> left;  // bytes of the content that were not written
    const std::uint64_t bytes_max;      // that ClientResponse::all() collects
};

}  // namespace weir::web::detail
