#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/http/request.h"

namespace weir::http {

/// The content codings (RFC 9110 8.4.1) that are known here, the smallest content first.
enum class Coding : std::uint8_t { brotli, zstandard, gzip, identity };

struct CodingNames {
    Coding coding;
    std::string_view token;   // as in Content-Encoding
    std::string_view suffix;  // of a compressed file beside the original
};

/// All codings but identity.
inline constexpr std::array<CodingNames, 3> content_codings{{
    {Coding::brotli, "br", ".br"},
    {Coding::zstandard, "zstd", ".zst"},
    {Coding::gzip, "gzip", ".gz"},
}};

inline constexpr bool is_content_coding(std::string_view token) noexcept {
    return std::ranges::find(content_codings, token, &CodingNames::token) != content_codings.end();
}

inline constexpr std::size_t coding_count = content_codings.size() + 1;

/// The client's weights of the codings, from Accept-Encoding (RFC 9110 12.5.3).
class CodingWeights {
   public:
    explicit CodingWeights(const Request& request) noexcept;

    /// Above 0 if the coding is acceptable. The value is twice the client's weight in thousandths.
    /// Identity is acceptable even if the client did not name it: it then gets the value 1, which
    /// is less than every weight.
    int of(Coding coding) const noexcept {
        if (const int own = said_[static_cast<std::size_t>(coding)]; own != unsaid) return 2 * own;
        if (others_ != unsaid) return 2 * others_;
        return coding == Coding::identity ? 1 : 0;
    }

   private:
    static constexpr int unsaid = -1;

    void take(std::string_view member) noexcept;
    void set(Coding coding, int thousandths) noexcept {
        said_[static_cast<std::size_t>(coding)] = thousandths;
    }

    std::array<int, coding_count> said_{unsaid, unsaid, unsaid, unsaid};
    int others_ = unsaid;  // "*"
};

}  // namespace weir::http
