#pragma once

#include <optional>

#include "http/answer/content_coding.h"
#include "weir/http/request.h"

namespace weir::site {

using http::Coding;

/// A set of codings.
class CodingSet {
   public:
    constexpr void add(Coding coding) noexcept { bits_ |= bit(coding); }
    constexpr bool has(Coding coding) const noexcept { return (bits_ & bit(coding)) != 0; }
    constexpr bool operator==(const CodingSet&) const = default;

   private:
    static constexpr unsigned bit(Coding coding) noexcept {
        return 1u << static_cast<unsigned>(coding);
    }
    unsigned bits_ = 0;
};

/// Chooses among the available codings by Accept-Encoding (RFC 9110 12.5.3). If the client has no
/// preference, it gets the first in the order of Coding. Returns nothing if the client accepts none
/// of them.
std::optional<Coding> choose_coding(const http::Request& request, CodingSet available) noexcept;

}  // namespace weir::site
