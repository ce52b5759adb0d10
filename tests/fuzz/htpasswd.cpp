// A file of users has the users of its lines, or names the line that is wrong. The model is a regular
// expression for each line.

#include "access/password/htpasswd.h"

#include <map>
#include <regex>

#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

const std::string hash =
    R"((\$2[aby]\$(0[4-9]|1[0-6])\$[./0-9A-Za-z]{53}|\$5\$(rounds=0*([1-9]\d{3,6}|10000000)\$)?)"
    R"([./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{43}|\$6\$(rounds=0*([1-9]\d{3,6}|10000000)\$)?)"
    R"([./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}|)"
    R"(\$y\$[./0-9A-Za-z]{3,12}\$[./0-9A-Za-z]{0,86}\$[./0-9A-Za-z]{43}))";

bool is_user(const std::string& line, std::map<std::string, std::string>& users) {
    static const std::regex form{"([^:]{1,255}):" + hash, std::regex::optimize};
    std::smatch match;
    if (!std::regex_match(line, match, form)) return false;
    const std::string name = match[1];
    for (const char c : name)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) return false;
    return users.try_emplace(name, match[2]).second;
}

/// False if some line is wrong.
bool read(std::string_view text, std::map<std::string, std::string>& users) {
    while (!text.empty()) {
        std::string line{take_line(text)};
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty() && line[0] != '#' && !is_user(line, users)) return false;
    }
    return true;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy text{input.text};
    const auto users = access::Users::parse(text.view());
    if (!users) require(users.error().starts_with("line "));
    if (text.view().size() > 4096) return;  // the model takes long
    std::map<std::string, std::string> model;
    require(users.has_value() == read(text.view(), model));
    if (!users) return;
    require(users->size() == model.size());
    for (const auto& [name, its_hash] : model) {
        require(users->hash_of(name) != nullptr && *users->hash_of(name) == its_hash);
        require(users->hash_of(name + 'x') == nullptr || model.contains(name + 'x'));
    }
    require((users->any_hash(input.choice) == nullptr) == model.empty());
}

}  // namespace weir::tests
