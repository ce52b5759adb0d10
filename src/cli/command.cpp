#include "cli/command.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "cli/output.h"
#include "cli/version.h"

namespace weir::cli {
namespace {

constexpr std::array commands{
    Command{.name = "serve", .summary = "serve a folder over HTTP", .run = serve},
    Command{.name = "target",
            .summary = "give every request the same answer, to be measured",
            .run = target},
    Command{
        .name = "engines", .summary = "list the architectures to serve by", .run = list_engines},
};

std::string help() {
    std::string text =
        "weir is an HTTP server whose concurrency architecture is a switch.\n\n"
        "usage: weir <command> [arguments]\n\n";
    for (const Command& command : commands) {
        text += "  ";
        text += command.name;
        text.append(12 - command.name.size(), ' ');
        text += command.summary;
        text += '\n';
    }
    return text +=
           "\nweir <command> --help tells more; weir --version says what is built in.\n"
           "To serve the folder that you are in: weir serve\n";
}

int wrong_use(const std::string& what) {
    say_error("weir: " + what + "; weir --help lists the commands\n");
    return exit_code::wrong_use;
}

}  // namespace

int run(std::vector<std::string> arguments) {
    if (arguments.empty()) return wrong_use("which command?");
    const std::string name = arguments.front();
    if (name == "-h" || name == "--help" || name == "help") return say(help());
    if (name == "-V" || name == "--version") return say(version());
    const auto* const command = std::ranges::find(commands, name, &Command::name);
    if (command == commands.end()) return wrong_use("there is no command '" + name + "'");
    arguments.erase(arguments.begin());
    return command->run(std::move(arguments));
}

}  // namespace weir::cli
