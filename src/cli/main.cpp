#include <exception>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/launch/generation.h"
#include "cli/launch/signals.h"

int main(int count, char** arguments) {
    using namespace weir::cli;
    attach_to_supervisor();
    take_signals();
    try {
        return run(std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
    } catch (const std::exception& exception) {
        say_error(std::string{"weir: "} + exception.what() + '\n');
        return exit_code::failure;
    }
}
