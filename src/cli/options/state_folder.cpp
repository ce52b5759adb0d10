#include "cli/options/state_folder.h"

#include <cstdlib>

namespace weir::cli {
namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

std::string state_folder() {
    if (const auto of_unit = variable("STATE_DIRECTORY"); !of_unit.empty())
        return of_unit.substr(0, of_unit.find(':'));
    if (const auto of_user = variable("XDG_STATE_HOME"); of_user.starts_with('/'))
        return of_user + "/weir";
    if (const auto home = variable("HOME"); home.starts_with('/'))
        return home + "/.local/state/weir";
    return {};
}

std::string acme_folders() {
    const auto state = state_folder();
    return state.empty() ? state : state + "/acme/";
}

std::string local_ca_in(const std::string& folder) { return folder + "/local-ca.crt"; }

}  // namespace weir::cli
