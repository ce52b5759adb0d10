#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/request.h"

namespace weir::site {

/// RFC 9110 8.4.1, those that files are found in. Best first: where a client doesn't mind, the
/// first that is there is taken.
enum class Coding : std::uint8_t { brotli, zstandard, gzip, identity };

struct CodingNames {
    Coding coding;
    std::string_view token;   // in Content-Encoding
    std::string_view suffix;  // of the file that stands beside the original
};

inline constexpr std::array<CodingNames, 3> precompressed_codings{{
    {Coding::brotli, "br", ".br"},
    {Coding::zstandard, "zstd", ".zst"},
    {Coding::gzip, "gzip", ".gz"},
}};

/// Some of the codings.
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

/// What to send of what is there, by Accept-Encoding (RFC 9110 12.5.3); nothing where the client
/// accepts none of it.
std::optional<Coding> choose_coding(const http::Request& request, CodingSet available) noexcept;

}  // namespace weir::site
