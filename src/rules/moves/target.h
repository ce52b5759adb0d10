#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/moves/path_pattern.h"

namespace weir::rules {

/// Where a request is sent: "/new/{page}", or "https://example.org/{rest...}". What a wildcard matched
/// is put in place of its name, and escaped: it never adds a host, a query, a line or a dot segment.
class Target {
   public:
    /// `names` are the wildcards of the pattern. The error is a sentence without its full stop.
    static std::expected<Target, std::string> parse(std::string_view text,
                                                    std::span<const std::string> names);

    /// Where it leads. The query of the request goes behind that of the target. A path begins with
    /// exactly one slash.
    std::string expand(const Captures& captures, std::string_view query) const;

    /// "https://example.org"; empty if the target is a path.
    const std::string& origin() const noexcept { return origin_; }
    bool has_fragment() const noexcept { return has_fragment_; }

   private:
    static constexpr std::size_t no_capture = ~std::size_t{0};
    enum class Part : std::uint8_t { path, query, fragment };
    /// Some text, and what a wildcard matched behind it.
    struct Piece {
        std::string text{};  // escaped
        std::size_t capture = no_capture;
        Part part = Part::path;
    };

    void add_text(std::string_view text, Part& part);
    std::string refuse_origin(std::string_view& text);
    std::string add_pieces(std::string_view text, std::span<const std::string> names);

    std::string origin_;
    std::vector<Piece> pieces_;
    bool has_query_ = false;
    bool has_fragment_ = false;
};

}  // namespace weir::rules
