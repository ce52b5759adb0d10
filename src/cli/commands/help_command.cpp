#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/commands/version.h"
#include "cli/help/help.h"
#include "cli/help/output.h"
#include "cli/options/word_reader.h"

namespace weir::cli {
namespace {

WordReader help_reader() {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return {{.command = "help",
             .summary = "show how to use weir or one of its commands",
             .usage = "[COMMAND]",
             .description = "Shows how to use weir or one of its commands."},
            "COMMAND",
            std::move(names)};
}

WordReader version_reader() {
    return {
        {.command = "version",
         .summary = "show the version, and what is built in",
         .usage = "",
         .description =
             "Shows the version, the compiler, the engines, the protocols, and the libraries that are "
             "built in."},
        "",
        {}};
}

}  // namespace

int show_help(std::vector<std::string> arguments) {
    const auto name = help_reader().read(std::move(arguments));
    if (!name) return tell(name.error());
    return say(help(name->empty() ? weir_page() : find_command(*name)->page()));
}

int show_version(std::vector<std::string> arguments) {
    const auto nothing = version_reader().read(std::move(arguments));
    return nothing ? say(version()) : tell(nothing.error());
}

Page help_page() { return help_reader().page(); }
Page version_page() { return version_reader().page(); }

}  // namespace weir::cli
