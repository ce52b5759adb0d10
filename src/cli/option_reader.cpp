#include "cli/option_reader.h"

#include <cctype>
#include <cstdlib>

namespace weir::cli {
namespace {

/// keep-alive-timeout: WEIR_KEEP_ALIVE_TIMEOUT
std::string variable_of(const std::string& long_name) {
    std::string variable = "WEIR_";
    for (const unsigned char character : long_name)
        variable += character == '-' ? '_' : static_cast<char>(std::toupper(character));
    return variable;
}

}  // namespace

void OptionReader::read_variable(CLI::Option& option) {
    if (option.get_lnames().empty()) return;
    const std::string& name = option.get_lnames().front();
    const std::string variable = variable_of(name);
    const char* text = std::getenv(variable.c_str());
    if (!text || *text == '\0') return;
    try {
        option.add_result(std::string{text});
        option.run_callback();
    } catch (const CLI::ParseError& error) {
        std::string message = error.what();
        const std::string prefix = "--" + name + ": ";
        if (message.starts_with(prefix)) message.erase(0, prefix.size());
        throw CLI::ValidationError{variable, message};
    }
}

}  // namespace weir::cli
