#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "rules/moves/path_pattern.h"

namespace weir::rules {

/// A path in the form of `_headers` and `_redirects`: `:name` is one segment that is not empty, and
/// a single `*` is any text, with slashes or empty. Both are captured, `*` as "splat".
class PathForm {
   public:
    /// The error is a sentence without its full stop, which begins with a verb: "has two *".
    static std::expected<PathForm, std::string> parse(std::string_view text);

    /// `path` is as site::decoded_path() returns it. Takes time in proportion to the shorter of the
    /// two: there is one `*`, so no part is tried twice.
    bool matches(std::string_view path, Captures& captures) const noexcept;
    /// The names of the captures, in order; no two are the same.
    const std::vector<std::string>& names() const noexcept { return names_; }

   private:
    /// Some decoded text, or a segment with a name.
    struct Piece {
        std::string text{};
        bool is_named = false;
    };

    std::string refuse(std::string_view text);
    std::string refuse_piece(std::string_view segment);
    std::string refuse_name(std::string_view name);
    std::string refuse_text(std::string_view text);
    bool takes_front(std::string_view& path, Captures& captures) const noexcept;
    bool takes_back(std::string_view& path, Captures& captures) const noexcept;

    std::vector<Piece> front_;  // before the splat
    std::vector<Piece> back_;   // behind it
    std::vector<std::string> names_;
    std::size_t front_names_ = 0;
    bool has_splat_ = false;
};

/// The characters of a name at the beginning of the text: letters, digits and "_", the first no
/// digit.
std::size_t name_size(std::string_view text) noexcept;

}  // namespace weir::rules
