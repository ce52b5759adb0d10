#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/completion.h"
#include "cli/help/man.h"
#include "cli/help/output.h"
#include "cli/options/word_reader.h"

// `weir completion` and `weir man`. An installation writes their output to the directories in which
// shells and man(1) search.
namespace weir::cli {
namespace {

std::vector<Page> pages_with_man() {
    std::vector<Page> pages{weir_page()};
    for (const Command& command : commands())
        if (command.has_man_page) pages.push_back(command.page());
    return pages;
}

WordReader man_reader() {
    std::vector<std::string> names{"weir"};
    for (const Command& command : commands())
        if (command.has_man_page) names.push_back("weir-" + std::string{command.name});
    return {{.command = "man",
             .summary = "print a man page",
             .usage = "[PAGE]",
             .description = "Prints a man page in troff: weir man weir-serve | man -l -"},
            "PAGE",
            std::move(names)};
}

WordReader completion_reader() {
    return {
        {.command = "completion",
         .summary = "print completions for a shell",
         .usage = "SHELL",
         .description = "Prints completions for a shell; for bash: source <(weir completion bash)"},
        "SHELL",
        {"bash", "zsh", "fish"}};
}

}  // namespace

int print_man_page(std::vector<std::string> arguments) {
    const auto name = man_reader().read(std::move(arguments));
    if (!name) return tell(name.error());
    const auto pages = pages_with_man();
    for (const Page& page : pages)
        if (page.full_name('-') == *name) return say(man(page, pages));
    return say(man(pages.front(), pages));
}

int print_completion(std::vector<std::string> arguments) {
    const auto shell = completion_reader().read(std::move(arguments));
    if (!shell) return tell(shell.error());
    std::vector<Page> pages;
    for (const Command& command : commands()) pages.push_back(command.page());
    if (*shell == "bash") return say(bash_completion(pages));
    if (*shell == "zsh") return say(zsh_completion(pages));
    if (*shell == "fish") return say(fish_completion(pages));
    return tell(wrong_use("weir completion", "missing SHELL: bash, zsh or fish"));
}

Page man_page() { return man_reader().page(); }
Page completion_page() { return completion_reader().page(); }

}  // namespace weir::cli
