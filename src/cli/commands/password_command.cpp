#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/password/htpasswd.h"
#include "cli/access/crypt.h"
#include "cli/command.h"
#include "cli/commands/password_input.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"

// `weir password` makes the lines of the file that `weir serve --auth` reads.
namespace weir::cli {
namespace {

constexpr std::string_view command = "weir password";

constexpr std::array examples{
    Example{"weir password ada >>/etc/weir/users", "add a user to a file, or begin one"},
    Example{"weir serve --auth '/private/**: /etc/weir/users'", "ask for it, for some paths"},
};

std::string own_name() {
    const char* const name = std::getenv("USER");
    return name ? name : "";
}

Parsed<std::string> parse_method(std::string_view text) {
    return parse_word<std::string>(
        text, {{"yescrypt", "yescrypt"}, {"bcrypt", "bcrypt"}, {"sha512", "sha512"}});
}

Parsed<std::string> parse_name(std::string_view text) {
    if (!text.empty() && text.size() <= access::Users::name_bytes_max &&
        !access::has_control(text) && !text.contains(':') && !text.starts_with('#'))
        return std::string{text};
    return std::unexpected{
        "'" + std::string{text} +
        "' is no name of a user: it must not begin with '#', nor have a colon or "
        "a control character"};
}

struct PasswordReader {
    PasswordReader() {
        reader.group("Options");
        reader.value("NAME", "", name, parse_name,
                     "The user's name; without it, that of USER in the environment");
        reader.value("--method", "yescrypt|bcrypt|sha512", method, parse_method,
                     "How the password is hashed (default: yescrypt)");
        reader.help_flag();
    }

    std::string name = own_name();
    std::string method = "yescrypt";
    OptionReader reader{{.command = "password",
                         .summary = "make a line for the file of serve --auth",
                         .usage = "[NAME] [option...]",
                         .description =
                             "Reads a password, from the terminal or as one line of standard "
                             "input, and prints the name and the password's hash: a line of an "
                             "htpasswd file, as `weir serve --auth` reads it.",
                         .examples = examples}};
};

/// Refuses passwords that no client could send to the server.
std::string refuse_password(std::string_view password) {
    if (password.empty()) return "the password is empty";
    if (access::has_control(password)) return "the password has a control character";
    return password.size() > password_bytes_max ? "the password is longer than 511 bytes" : "";
}

}  // namespace

int make_password(std::vector<std::string> arguments) {
    PasswordReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    if (const auto why = crypt_unavailable(); !why.empty()) return fail(command, why);
    if (options.name.empty())
        return tell(wrong_use(std::string{command}, "NAME is missing, as in weir password ada"));
    const auto name = parse_name(options.name);
    if (!name) return tell(wrong_use(std::string{command}, "USER: " + name.error()));
    const auto password = read_password();
    if (!password) return fail(command, password.error());
    if (const auto refusal = refuse_password(*password); !refusal.empty())
        return fail(command, refusal);
    const auto hash = hash_of(*password, options.method);
    if (!hash) return fail(command, hash.error());
    return say(*name + ':' + *hash + '\n');
}

Page password_page() { return PasswordReader{}.reader.page(); }

}  // namespace weir::cli
