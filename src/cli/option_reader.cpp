#include "cli/option_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "cli/command.h"

namespace weir::cli {
namespace {

/// keep-alive-timeout: WEIR_KEEP_ALIVE_TIMEOUT
std::string variable_of(const std::string& long_name) {
    std::string variable = "WEIR_";
    for (const char character : long_name)
        variable += character == '-'
                        ? '_'
                        : static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
    return variable;
}

void read_variable(CLI::Option& option) {
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

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

}  // namespace

std::expected<void, NoOptions> OptionReader::read(std::vector<std::string> arguments,
                                                  const std::function<void()>& finish) {
    try {
        read_texts(std::move(arguments));
        finish();
        return {};
    } catch (const CLI::CallForHelp&) {
        return std::unexpected{NoOptions{.exit_code = exit_code::success, .text = app.help()}};
    } catch (const CLI::ParseError& error) {
        const std::string& name = app.get_name();
        return std::unexpected{NoOptions{
            .exit_code = exit_code::wrong_use,
            .text = name + ": " + one_line(error.what()) + "; " + name + " --help tells more\n"}};
    }
}

/// "--cors", "https://example.org" becomes "--cors=https://example.org", and "--cors" alone
/// "--cors=true": CLI11 would take whatever comes next.
void OptionReader::join_optional_values(std::vector<std::string>& arguments) const {
    for (auto at = arguments.begin(); at != arguments.end() && *at != "--"; ++at) {
        if (std::ranges::find(optional_, *at) == optional_.end()) continue;
        const auto next = at + 1;
        const bool has_value =
            next != arguments.end() && (next->contains("://") || *next == "*" || *next == "null");
        at->append("=").append(has_value ? *next : "true");
        if (has_value) at = arguments.erase(next) - 1;
    }
}

void OptionReader::read_texts(std::vector<std::string> arguments) {
    join_optional_values(arguments);
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(std::move(arguments));
    std::vector<CLI::Option*> unsaid;  // by the command line: variables do not hide each other
    for (CLI::Option* option : app.get_options())
        if (!is_said(*option)) unsaid.push_back(option);
    for (CLI::Option* option : unsaid) read_variable(*option);
}

bool OptionReader::is_said(const CLI::Option& option) const {
    const auto given = [](const CLI::Option* one) { return one->count() > 0; };
    if (std::ranges::find(alternatives_, &option) == alternatives_.end()) return given(&option);
    return std::ranges::any_of(alternatives_, given);
}

}  // namespace weir::cli
