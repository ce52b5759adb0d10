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

/// The destination of a move: "/new/{page}", or "https://example.org/{rest...}". The text that a
/// wildcard matched takes the place of its name, and is escaped: it never adds a host, a query, a
/// line or a dot segment.
class Target {
   public:
    /// `names` are the wildcards of the pattern. The error is a sentence without its full stop.
    static std::expected<Target, std::string> parse(std::string_view text,
                                                    std::span<const std::string> names);

    /// The target for a request. The request's query follows that of the target. A path begins with
    /// exactly one slash.
    std::string expand(const Captures& captures, std::string_view query) const;

    /// "https://example.org"; empty if the target is a path.
    const std::string& origin() const noexcept { return origin_; }
    bool has_fragment() const noexcept { return has_fragment_; }

   private:
    static constexpr std::size_t no_capture = ~std::size_t{0};
    enum class Part : std::uint8_t { path, query, fragment };
    /// Some text, and the wildcard whose match follows it.
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
