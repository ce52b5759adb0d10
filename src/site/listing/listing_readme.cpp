#include "site/listing/listing_readme.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "http/syntax/utf8.h"
#include "site/files/read_file.h"
#include "site/listing/listing_order.h"
#include "site/path/paths.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

/// Best first.
constexpr std::array<std::string_view, 5> readme_names = {"README", "README.md", "README.txt",
                                                          "README.rst", "README.markdown"};
constexpr std::uint64_t text_bytes_max = 64 * 1024;
constexpr std::uint64_t markdown_bytes_max = 256 * 1024;

/// The rank of a name among those of readmes: 0 is best.
std::size_t rank_of(std::string_view name) noexcept {
    const auto found = std::ranges::find_if(readme_names, [&](std::string_view readme) {
        return http::equals_ignoring_case(readme, name);
    });
    return static_cast<std::size_t>(found - readme_names.begin());
}

/// Removes the incomplete character at the end of a text that was cut.
void end_at_character(std::string& text) {
    constexpr int bytes_max = 3;
    for (int i = 0; i < bytes_max && !http::is_utf8(text); ++i) text.pop_back();
}

bool is_markdown(std::string_view name) noexcept {
    const std::string_view extension = name.substr(std::min(name.rfind('.'), name.size()));
    return http::equals_ignoring_case(extension, ".md") ||
           http::equals_ignoring_case(extension, ".markdown");
}

bool is_text(std::string_view text) noexcept { return !text.contains('\0') && http::is_utf8(text); }

void cut(Readme& readme) {
    readme.text.resize(text_bytes_max);
    readme.cut = true;
    end_at_character(readme.text);
}

}  // namespace

bool is_better_readme(std::string_view name, std::string_view other) noexcept {
    const std::size_t rank = rank_of(name);
    if (rank == readme_names.size()) return false;
    const std::size_t other_rank = rank_of(other);
    return rank != other_rank ? rank < other_rank : comes_before_naturally(name, other);
}

std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const std::string& name, const ReadmeHtml& make_html) {
    if (name.empty()) return std::nullopt;
    const auto opened = root.open_file(joined(directory, name));
    if (!opened) return std::nullopt;
    const std::uint64_t size = opened->state.size;
    const bool is_whole = make_html && is_markdown(name) && size <= markdown_bytes_max;
    auto text =
        read_from_start(opened->fd.get(), is_whole ? size : std::min(size, text_bytes_max + 1));
    if (!text || text->empty()) return std::nullopt;
    Readme readme{.name = name, .text = std::move(*text)};
    if (is_whole && is_text(readme.text)) readme.html = make_html(readme.text);
    if (!readme.html && readme.text.size() > text_bytes_max) cut(readme);
    if (!is_text(readme.text)) return std::nullopt;
    return readme;
}

}  // namespace weir::site
