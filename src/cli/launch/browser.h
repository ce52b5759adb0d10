#pragma once

#include <expected>
#include <string>
#include <vector>

namespace weir::cli {

/// A command and its arguments.
using CommandLine = std::vector<std::string>;

/// What may open `url` in a browser, best first: the commands of $BROWSER (several with colons between
/// them; %s stands for the URL, which is else the last argument), then xdg-open.
std::vector<CommandLine> browser_commands(const std::string& url);

/// Starts the first of them that is there, in a session of its own: it outlives this process, is no
/// child of it, and shares no terminal with it. In words why there is none.
std::expected<void, std::string> open_browser(const std::string& url);

}  // namespace weir::cli
