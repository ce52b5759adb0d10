#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/request.h"

namespace weir::site {

/// The content codings (RFC 9110 8.4.1) of precompressed files, best first: if the client has no
/// preference, it gets the first that exists.
enum class Coding : std::uint8_t { brotli, zstandard, gzip, identity };

struct CodingNames {
    Coding coding;
    std::string_view token;   // as in Content-Encoding
    std::string_view suffix;  // of the compressed file beside the original
};

inline constexpr std::array<CodingNames, 3> precompressed_codings{{
    {Coding::brotli, "br", ".br"},
    {Coding::zstandard, "zstd", ".zst"},
    {Coding::gzip, "gzip", ".gz"},
}};

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

/// Chooses among the available codings by Accept-Encoding (RFC 9110 12.5.3). Returns nothing if the
/// client accepts none of them.
std::optional<Coding> choose_coding(const http::Request& request, CodingSet available) noexcept;

}  // namespace weir::site
