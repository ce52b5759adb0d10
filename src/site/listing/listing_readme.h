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
    std::optional<std::string> html{};  // what to show in place of the text
};

/// `name` describes a directory, and better than `other` does. No name ("") does not.
bool is_better_readme(std::string_view name, std::string_view other) noexcept;

/// Options::readme_html
using ReadmeHtml = std::function<std::optional<std::string>(std::string_view)>;

/// Reads the first 64 KB of the readme `name`, or all of one in Markdown that `make_html` makes HTML of.
/// Returns nothing if it cannot be read, or if it is not UTF-8 text.
std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const std::string& name, const ReadmeHtml& make_html = {});

}  // namespace weir::site
