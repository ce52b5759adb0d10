#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/help/page.h"

namespace weir::cli {

/// A subcommand of weir.
struct Command {
    std::string_view name;
    /// `arguments` are the arguments after the name. Returns an exit code.
    int (*run)(std::vector<std::string> arguments);
    Page (*page)();
    bool has_man_page = false;
};

std::span<const Command> commands();
/// Null if no command has that name.
const Command* find_command(std::string_view name);
/// The page of the program as a whole.
Page weir_page();

int serve(std::vector<std::string> arguments);
int target(std::vector<std::string> arguments);
int list_engines(std::vector<std::string> arguments);
int make_password(std::vector<std::string> arguments);
int check_config(std::vector<std::string> arguments);
int reload(std::vector<std::string> arguments);
int upgrade(std::vector<std::string> arguments);
int stop(std::vector<std::string> arguments);
int show_status(std::vector<std::string> arguments);
int check_health(std::vector<std::string> arguments);
int sign(std::vector<std::string> arguments);
int trust(std::vector<std::string> arguments);
int show_version(std::vector<std::string> arguments);
int show_help(std::vector<std::string> arguments);
int print_completion(std::vector<std::string> arguments);
int print_man_page(std::vector<std::string> arguments);

Page target_page();
Page engines_page();
Page check_config_page();
Page reload_page();
Page upgrade_page();
Page stop_page();
Page status_page();
Page health_page();
Page password_page();
Page sign_page();
Page trust_page();
Page version_page();
Page help_page();
Page completion_page();
Page man_page();

/// Runs the command that the program's arguments name. Returns an exit code.
int run(std::vector<std::string> arguments);

}  // namespace weir::cli
