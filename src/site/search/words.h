#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::site {

/// The words of a search, separated by spaces.
class Words {
   public:
    /// In bytes. Longer text is cut; no client types it.
    static constexpr std::size_t bytes_max = 200;

    explicit Words(std::string_view text);

    bool empty() const noexcept { return words_.empty(); }
    /// True if the name contains each word, without regard to the case of ASCII letters.
    bool are_in(std::string_view name) const noexcept;

   private:
    std::vector<std::string> words_;
};

}  // namespace weir::site
