#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "site/root/root_directory.h"

namespace weir::site {

/// A text that describes a directory: README, README.md and the like, in upper or lower case.
struct Readme {
    std::string name;
    std::string text;                   // UTF-8 without NUL
    bool cut = false;                   // the file is longer
    std::optional<std::string> html{};  // replaces the text on the page
};

/// True if `name` is that of a readme, and a better one than `other`. An empty name is no readme.
bool is_better_readme(std::string_view name, std::string_view other) noexcept;

/// Options::readme_html
using ReadmeHtml = std::function<std::optional<std::string>(std::string_view)>;

/// Reads the readme `name`: its first 64 KB, or all of it if it is Markdown that `make_html` can
/// convert. Returns null if the file is empty, cannot be read, or is not UTF-8 text.
std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const std::string& name, const ReadmeHtml& make_html = {});

}  // namespace weir::site
