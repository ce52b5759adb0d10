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
            std::uint64_t collects_max, const ContentDecoding* of_response) noexcept
        : asking{std::move(of)}, left{size}, bytes_max{collects_max}, decoding{of_response} {}

    std::unique_ptr<Asking> asking;         // null once the response is there
    bool has_ended = false;                 // response() was called
    std::optional<std::uint64_t> left;      // bytes of the content that were not written
    const std::uint64_t bytes_max;          // that ClientResponse::all() collects
    const ContentDecoding* const decoding;  // null, or for the content of the response
};

}  // namespace weir::web::detail
