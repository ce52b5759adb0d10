#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::site {

/// The words of a search, between spaces.
class Words {
   public:
    /// More than that is not read of a text, and no client types it.
    static constexpr std::size_t bytes_max = 200;

    explicit Words(std::string_view text);

    /// There are none.
    bool empty() const noexcept { return words_.empty(); }
    /// A name has each of them, whatever the case of ASCII letters is.
    bool are_in(std::string_view name) const noexcept;

   private:
    std::vector<std::string> words_;
};

}  // namespace weir::site
