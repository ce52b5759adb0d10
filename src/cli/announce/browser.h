#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "net/unique_fd.h"

namespace weir::cli {

/// A command and its arguments.
using CommandLine = std::vector<std::string>;

/// The commands that may open `url` in a browser, best first: the commands of $BROWSER (colons
/// separate them; %s stands for the URL, which is otherwise the last argument), then xdg-open.
std::vector<CommandLine> browser_commands(const std::string& url);

/// A process that is about to become the browser. It is started before the sandbox, in which the
/// server may not run a program. If the object is destroyed without open(), the process ends, too.
class Browser {
   public:
    /// The error says why there is no browser.
    static std::expected<Browser, std::string> prepare(const std::string& url);

    /// Runs the first of browser_commands() that exists, in a session of its own: it outlives this
    /// process and shares no terminal with it. Call it once.
    std::expected<void, std::string> open();

   private:
    Browser(net::UniqueFd go, net::UniqueFd failed) noexcept
        : go_{std::move(go)}, failed_{std::move(failed)} {}

    net::UniqueFd go_;      // the process reads one byte from it before it runs a command
    net::UniqueFd failed_;  // running a command closes this pipe (O_CLOEXEC)
};

}  // namespace weir::cli
