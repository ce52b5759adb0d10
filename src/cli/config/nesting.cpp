#include "cli/config/nesting.h"

#include <algorithm>

namespace weir::cli::config {
namespace {

/// Scans TOML like toml++, up to the first mistake. toml++ stops there, so the text behind it does
/// not matter.
class Dots {
   public:
    explicit Dots(std::string_view text) : text_{text} {}

    std::optional<Place> first_beyond(std::size_t limit) {
        for (std::size_t dots = 0; at_ < text_.size();) {
            const char next = text_[at_];
            if (next == '.' && ++dots > limit) return place();
            if (next == '"' || next == '\'') {
                pass_text(next);
            } else if (next == '#') {
                at_ = text_.find('\n', at_);
            } else {
                ++at_;
            }
        }
        return std::nullopt;
    }

   private:
    /// Counts the quotes at at_, up to 5, which is the most that a text can end with.
    std::size_t quotes_here(char quote) const {
        const auto here = text_.substr(at_, 5);
        return std::min(here.find_first_not_of(quote), here.size());
    }

    void pass_text(char quote) {
        const std::size_t quotes = quotes_here(quote);
        if (quotes < 3) {
            at_ += quotes;
            if (quotes == 1) pass_line(quote);
        } else {
            at_ += 3;
            pass_lines(quote);
        }
    }

    /// A backslash escapes the next quote within "...", but not within '...'.
    bool is_escape(char quote) const { return quote == '"' && text_[at_] == '\\'; }

    void pass_line(char quote) {
        for (; at_ < text_.size() && text_[at_] != '\n'; at_ += is_escape(quote) ? 2 : 1) {
            if (text_[at_] != quote) continue;
            ++at_;
            return;
        }
    }

    /// Passes a text of several lines, which may end with two quotes of its own before the three.
    void pass_lines(char quote) {
        for (; at_ < text_.size(); at_ += is_escape(quote) ? 2 : 1) {
            const std::size_t quotes = quotes_here(quote);
            if (quotes >= 3) {
                at_ += quotes;
                return;
            }
        }
    }

    Place place() const {
        const auto before = text_.substr(0, at_);
        const auto line = before.substr(before.rfind('\n') + 1);
        const auto begins_character = [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
        };
        return {.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
                .column =
                    static_cast<std::uint32_t>(std::ranges::count_if(line, begins_character) + 1)};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Place> too_deep(std::string_view text) { return Dots{text}.first_beyond(dots_max); }

}  // namespace weir::cli::config
