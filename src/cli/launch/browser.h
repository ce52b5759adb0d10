#pragma once

#include <expected>
#include <string>
#include <vector>

namespace weir::cli {

/// A command and its arguments.
using CommandLine = std::vector<std::string>;

/// The commands that may open `url` in a browser, best first: the commands of $BROWSER (colons
/// separate them; %s stands for the URL, which is otherwise the last argument), then xdg-open.
std::vector<CommandLine> browser_commands(const std::string& url);

/// Starts the first of these commands that exists, in a session of its own: it outlives this
/// process and shares no terminal with it. The error says why there is no browser.
std::expected<void, std::string> open_browser(const std::string& url);

}  // namespace weir::cli
